import { connect, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';

import { buildTestApp } from './build-test-app.ts';
import { chain } from './session-text.ts';

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PATHS = ['/', '/s/some-key', '/assets/app-123.js', '/favicon.svg', '/api/health', '/api/nothing', '/%zz', '/api/%zz'];

describe('headers', () => {
  it.each(PATHS)('stand on %s', async (url) => {
    const { get } = await buildTestApp();
    const { headers } = await get(url, { accept: 'text/html' });
    expect(headers['content-security-policy']).toBe(CSP);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  });

  it.each(PATHS)('of other kinds are absent on %s', async (url) => {
    const { get } = await buildTestApp();
    const { headers } = await get(url, { origin: 'http://localhost', accept: 'text/html' });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['server']).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('let nobody keep private answers', async () => {
    const { get, key } = await buildTestApp({ files: { 'sessions/w/a.jsonl': chain('s1', 4) } });
    const base = `/api/sessions/${key('s1')}`;
    const lists = ['/api/health', '/api/roots', '/api/projects', '/api/sessions', `${base}/entries/e0`, '/api/nothing'];
    for (const url of lists) expect([url, (await get(url)).headers['cache-control']]).toEqual([url, 'no-store']);
    for (const url of [base, `${base}/outline`, `${base}/transcript`, `${base}/context`]) {
      expect([url, (await get(url)).headers['cache-control']]).toEqual([url, 'private, no-cache']);
    }
  });
});

describe('the guard', () => {
  it.each(PATHS)('asks for the right Host on %s', async (url) => {
    const { app } = await buildTestApp();
    for (const host of ['evil.com', 'localhost:81', '127.0.0.1.evil.com']) {
      const response = await app.inject({ url, headers: { host } });
      expect(response.statusCode).toBe(403);
      expect(response.json().error.code).toBe('forbidden_host');
      expect(response.json().error.message).toContain('http://127.0.0.1');
    }
  });

  it.each(['/api/health', '/api/nothing', '/%61pi/health'])('keeps other sites out of %s', async (url) => {
    const { get } = await buildTestApp();
    for (const site of ['cross-site', 'same-site']) {
      expect((await get(url, { 'sec-fetch-site': site, 'sec-fetch-dest': 'empty' })).statusCode).toBe(403);
    }
    const routed = await get('/%61pi/health', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' });
    expect(routed.statusCode).toBe(403);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const)('answers 405 to %s', async (method) => {
    const { app } = await buildTestApp();
    for (const url of ['/api/sessions', '/', '/nowhere']) {
      const response = await app.inject({ method, url, headers: { host: 'localhost' } });
      expect(response.statusCode).toBe(405);
      expect(response.headers['allow']).toBe('GET, HEAD');
    }
  });

  it('answers 414 to a long address', async () => {
    const { get } = await buildTestApp();
    expect((await get(`/api/sessions?q=${'a'.repeat(9_000)}`)).statusCode).toBe(414);
  });
});

/** A request as bytes, since no HTTP client sends a wrong one. Answers status and body. */
function raw(port: number, request: string): Promise<{ status: number; body: string; head: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(request));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    socket.on('error', reject).on('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n', 2);
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), body, head });
    });
  });
}

describe('over a socket', () => {
  async function listening(): Promise<(request: string) => ReturnType<typeof raw>> {
    const { app } = await buildTestApp();
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.addresses()[0] as AddressInfo;
    return (request) => raw(port, request);
  }

  it.each([
    ['two Host headers', 'GET /api/health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
    ['a second, foreign Host', 'GET /api/health HTTP/1.1\r\nHost: localhost\r\nHOST: evil.com\r\nConnection: close\r\n\r\n'],
    ['no Host', 'GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['no Host in HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
    ['an empty Host', 'GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'],
    ['the port of another server', 'GET / HTTP/1.1\r\nHost: localhost:3000\r\nConnection: close\r\n\r\n'],
    ['a foreign Host on an unreadable path', 'GET /%zz HTTP/1.1\r\nHost: evil.com\r\nConnection: close\r\n\r\n'],
  ])('refuses %s and says why', async (_what, request) => {
    const ask = await listening();
    const { status, body, head } = await ask(request);
    expect(status).toBe(403);
    expect(body).toContain('forbidden_host');
    expect(body).toContain('http://127.0.0.1');
    expect(head.toLowerCase()).toContain('content-security-policy');
  });

  it('refuses a target that names another server', async () => {
    const ask = await listening();
    const { status } = await ask('GET http://evil.com/api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(status).toBe(400);
  });

  it('answers the right one', async () => {
    const ask = await listening();
    expect((await ask('GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).status).toBe(200);
    expect((await ask('GET /api/health HTTP/1.1\r\nHost: LocalHost:80\r\nConnection: close\r\n\r\n')).status).toBe(200);
  });

  it('limits headers', async () => {
    const ask = await listening();
    const { status } = await ask(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(20_000)}\r\nConnection: close\r\n\r\n`);
    expect(status).toBe(431);
  });
});
