import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { buildTestApp } from './build-test-app.ts';

let folder = '';
let webRoot = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stemma-web-'));
  webRoot = path.join(folder, 'dist');
  await mkdir(path.join(webRoot, 'assets'), { recursive: true });
  await writeFile(path.join(webRoot, 'index.html'), '<!doctype html><title>Stemma</title>');
  await writeFile(path.join(webRoot, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(path.join(webRoot, 'assets/app-1a2b.js'), 'export {};');
  await writeFile(path.join(webRoot, '.secret'), 'hidden');
  await writeFile(path.join(folder, 'outside.txt'), 'outside');
});
afterAll(() => rm(folder, { recursive: true }));

const PAGE = { accept: 'text/html,application/xhtml+xml' };

describe('the web app', () => {
  it.each(['/', '/index.html', '/s/musepi-1~2', '/s/x?leaf=a.b', '/search?q=a.js', '/settings'])(
    'has its page at %s',
    async (url) => {
      const { get } = await buildTestApp({ webRoot });
      const response = await get(url, PAGE);
      expect(response.statusCode).toBe(200);
      expect(response.body).toContain('<title>Stemma</title>');
      expect(response.headers['content-type']).toMatch(/^text\/html/);
      expect(response.headers['cache-control']).toBe('no-cache');
    },
  );

  it('has files that are kept for ever when their name is hashed', async () => {
    const { get } = await buildTestApp({ webRoot });
    const script = await get('/assets/app-1a2b.js');
    expect(script.headers['content-type']).toMatch(/^text\/javascript|^application\/javascript/);
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await get('/favicon.svg')).headers['cache-control']).toBe('no-cache');
  });

  it('answers 304 to who has the page already', async () => {
    const { get } = await buildTestApp({ webRoot });
    const { headers } = await get('/', PAGE);
    expect((await get('/', { ...PAGE, 'if-none-match': String(headers['etag']) })).statusCode).toBe(304);
  });

  it.each([
    ['/assets/gone.js', PAGE],
    ['/api/nothing', PAGE],
    ['/api', PAGE],
    ['/module.js', { accept: '*/*' }],
    ['/s/x', { accept: 'application/json' }],
  ])('has no page at %s %j', async (url, headers) => {
    const { get } = await buildTestApp({ webRoot });
    const response = await get(url, headers);
    expect(response.statusCode).toBe(404);
    expect(response.json().error.code).toBe('not_found');
  });

  it.each([
    '/../outside.txt',
    '/..%2foutside.txt',
    '/%2e%2e/outside.txt',
    '/assets/..%2f..%2foutside.txt',
    '/..%5coutside.txt',
    '/index.html%00.js',
    '/.secret',
  ])('gives nothing away at %s', async (url) => {
    const { get } = await buildTestApp({ webRoot });
    const response = await get(url);
    expect(response.statusCode).toBeGreaterThanOrEqual(400);
    expect(response.body).not.toContain('outside"');
    expect(response.body).not.toContain('hidden');
    expect(response.body).not.toContain(folder);
  });

  it('says what to do when it is not built', async () => {
    const { get } = await buildTestApp();
    const response = await get('/', PAGE);
    expect(response.statusCode).toBe(503);
    expect(response.headers['content-type']).toMatch(/^text\/plain/);
    expect(response.body).toContain('pnpm build');
    expect((await get('/assets/x.js')).statusCode).toBe(404);
    expect((await get('/api/health')).statusCode).toBe(200);
  });
});
