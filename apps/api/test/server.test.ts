import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { startServer, type RunningServer, type ServerOptions } from '../src/index.ts';
import { Health, Roots, SessionsPage } from '../src/schemas/index.ts';
import { conforming } from './build-test-app.ts';
import { chain } from './session-text.ts';

async function start(over: Partial<ServerOptions> = {}): Promise<RunningServer> {
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    roots: [],
    looked: [],
    demo: false,
    webRoot: '/nowhere',
    ...over,
  });
  onTestFinished(() => server.close());
  return server;
}

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stemma-root-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  return folder;
}

const json = async (url: string): Promise<unknown> => (await fetch(url)).json();

describe('startServer', () => {
  it('serves the sessions of its roots where it says', async () => {
    const folder = await folderWith({ 'a.jsonl': chain('s1', 3), 'notes.txt': 'x' });
    const { url, port } = await start({ roots: [{ path: folder }] });
    expect(url).toBe(`http://127.0.0.1:${port}`);
    const page = conforming(SessionsPage, await json(`${url}/api/sessions`));
    expect(page.items.map((row) => row.id)).toEqual(['s1']);
    expect((await fetch(`${url}/`, { headers: { accept: 'text/html' } })).status).toBe(503);
  });

  it('takes one folder under two names once', async () => {
    const folder = await folderWith({ 'a.jsonl': chain('s1', 3) });
    const { url } = await start({ roots: [{ path: folder }, { path: `${folder}/` }] });
    expect(conforming(Roots, await json(`${url}/api/roots`)).items).toHaveLength(1);
  });

  it('serves the demo, and says so', async () => {
    const { url } = await start({ demo: true });
    const page = conforming(SessionsPage, await json(`${url}/api/sessions`));
    expect(page.total).toBeGreaterThanOrEqual(12);
    expect(conforming(Health, await json(`${url}/api/health`)).demo).toBe(true);
    const { items } = conforming(Roots, await json(`${url}/api/roots`));
    expect(items.map(({ demo, dialect }) => [demo, dialect])).toEqual([
      [true, 'musepi'],
      [true, 'pi'],
      [true, 'projects'],
      [true, 'dsh'],
    ]);
  });

  it('works without any root', async () => {
    const looked = [{ path: '~/.pi/agent', found: false }];
    const { url } = await start({ looked });
    expect(conforming(Roots, await json(`${url}/api/roots`))).toEqual({ items: [], looked });
  });

  it('passes on that a port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    await expect(start({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it.each(['0.0.0.0', '::', '192.168.0.1', 'example.com', ''])('binds nothing but loopback: %j', async (host) => {
    await expect(start({ host })).rejects.toBeInstanceOf(RangeError);
  });

  it('refuses a root that is none', async () => {
    await expect(start({ roots: [{ path: '/no/such/folder' }] })).rejects.toMatchObject({ code: 'invalid_root' });
  });

  it('closes although a browser keeps its connection', { timeout: 3_000 }, async () => {
    const server = await start();
    await fetch(`${server.url}/api/health`);
    await server.close();
    await expect(fetch(`${server.url}/api/health`)).rejects.toThrow();
  });
});
