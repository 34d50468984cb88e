import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';

import { buildTestApp, type TestApp } from './build-test-app.ts';
import { chain } from './session-text.ts';

const FILES = { 'sessions/w/a.jsonl': chain('s1', 4) };

describe('HEAD', () => {
  it('answers the headers of GET alone', async () => {
    const test = await buildTestApp({ files: FILES });
    const base = `/api/sessions/${test.key('s1')}`;
    for (const url of ['/api/health', '/api/sessions', base, `${base}/outline`, `${base}/context`, `${base}/entries/e0?raw=1`]) {
      const head = await test.app.inject({ method: 'HEAD', url, headers: { host: 'localhost' } });
      const get = await test.get(url);
      expect([url, head.statusCode, head.body]).toEqual([url, 200, '']);
      expect([url, head.headers['content-length'], head.headers['etag']]).toEqual([
        url,
        get.headers['content-length'],
        get.headers['etag'],
      ]);
    }
    expect((await test.app.inject({ method: 'HEAD', url: '/api/nothing', headers: { host: 'localhost' } })).statusCode).toBe(404);
  });
});

async function overSocket(
  test: TestApp,
  headers: Record<string, string>,
  method = 'GET',
  body = '',
): Promise<{ status: number; headers: IncomingHttpHeaders }> {
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = test.app.addresses()[0] as AddressInfo;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, path: '/api/health', method, headers: { host: 'localhost', ...headers } },
      (response) => {
        response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
      },
    );
    request.on('error', reject).end(body);
  });
}

describe('over a socket', () => {
  it('a body is not read', async () => {
    const test = await buildTestApp();
    const { status } = await overSocket(test, { 'content-type': 'application/json' }, 'POST', `"${'x'.repeat(100_000)}"`);
    expect(status).toBe(405);
  });

  it('nothing is upgraded', async () => {
    const test = await buildTestApp();
    const { status } = await overSocket(test, {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'eA==',
      'sec-websocket-version': '13',
    });
    expect(status).toBe(200);
  });

  it('preflight requests get no permission', async () => {
    const test = await buildTestApp();
    const { status, headers } = await overSocket(
      test,
      { origin: 'http://evil.com', 'access-control-request-method': 'GET' },
      'OPTIONS',
    );
    expect(status).toBe(405);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});
