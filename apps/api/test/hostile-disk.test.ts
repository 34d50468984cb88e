import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FaultDisk, MemoryDisk, openRoot, type Fault } from '@stemma/core';
import { describe, expect, it, onTestFinished } from 'vitest';

import { buildApp } from '../src/app.ts';
import { createServices } from '../src/create-services.ts';
import { authoritiesOf } from '../src/http/guard.ts';
import type { App } from '../src/routes/services.ts';
import { chain } from './session-text.ts';

interface Served {
  get(url: string): Promise<{ status: number; json: unknown }>;
  ids(): Promise<string[]>;
  problems(): Promise<string[]>;
  key(id: string): Promise<string>;
}

function temporary(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'stemma-disk-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(path.join(folder, 'sessions/--w--'), { recursive: true });
  return folder;
}

async function serve(root: Awaited<ReturnType<typeof openRoot>>): Promise<Served> {
  const services = createServices({
    roots: [{ root, demo: false, home: '' }],
    looked: [],
    demo: false,
    version: '0',
    onError: () => undefined,
  });
  const app: App = await buildApp({ services, authorities: () => authoritiesOf(80), webRoot: '/nowhere' });
  onTestFinished(async () => {
    services.close();
    await app.close();
  });
  services.start();
  await services.settled();
  const get: Served['get'] = async (url) => {
    const response = await app.inject({ url, headers: { host: 'localhost' } });
    return { status: response.statusCode, json: response.json() };
  };
  const rows = async () => ((await get('/api/sessions')).json as { items: { id: string; key: string }[] }).items;
  return {
    get,
    ids: async () => (await rows()).map((row) => row.id).sort(),
    key: async (id) => (await rows()).find((row) => row.id === id)!.key,
    problems: async () =>
      ((await get('/api/roots')).json as { items: { problems: { code: string; path?: string }[] }[] }).items[0]!.problems.map(
        (found) => `${found.code} ${path.basename(found.path ?? '')}`,
      ).sort(),
  };
}

const onPosix = it.skipIf(process.platform === 'win32');

describe('a folder with more than files in it', () => {
  onPosix('shows the sessions and waits for no pipe, socket or loop', { timeout: 20_000 }, async () => {
    const folder = temporary();
    const at = (name: string): string => path.join(folder, 'sessions/--w--', name);
    writeFileSync(at('good.jsonl'), chain('good', 3));
    mkdirSync(at('folder.jsonl'));
    writeFileSync(path.join(at('folder.jsonl'), 'inside.jsonl'), chain('inside', 3));
    execFileSync('mkfifo', [at('pipe.jsonl')]);
    const socket = createServer().listen(at('socket.jsonl'));
    onTestFinished(() => void socket.close());
    await new Promise((resolve) => socket.once('listening', resolve));
    symlinkSync(at('loop.jsonl'), at('loop.jsonl'));
    symlinkSync('..', at('up'));
    symlinkSync('/etc', at('etc'));
    symlinkSync('/etc/passwd', at('passwd.jsonl'));
    symlinkSync(at('good.jsonl'), at('alias.jsonl'));
    writeFileSync(at('empty.jsonl'), '');
    const served = await serve(await openRoot({ path: folder }));
    expect(await served.ids()).toEqual(['good', 'inside']);
    expect(await served.problems()).toEqual([
      'link_skipped alias.jsonl',
      'link_skipped etc',
      'link_skipped loop.jsonl',
      'link_skipped passwd.jsonl',
      'link_skipped up',
      'not_a_session empty.jsonl',
      'unreadable pipe.jsonl',
      'unreadable socket.jsonl',
    ]);
  });

  onPosix('answers when a pipe, a folder or a link has taken the place of a session', { timeout: 20_000 }, async () => {
    const folder = temporary();
    const at = (name: string): string => path.join(folder, 'sessions/--w--', name);
    // Larger than what a listing reads, so that it is opened again.
    for (const name of ['pipe', 'folder', 'link', 'gone']) writeFileSync(at(`${name}.jsonl`), chain(name, 600));
    const served = await serve(await openRoot({ path: folder }));
    const keys = await Promise.all(['pipe', 'folder', 'link', 'gone'].map((id) => served.key(id)));
    renameSync(at('pipe.jsonl'), path.join(folder, 'kept'));
    execFileSync('mkfifo', [at('pipe.jsonl')]);
    unlinkSync(at('folder.jsonl'));
    mkdirSync(at('folder.jsonl'));
    unlinkSync(at('link.jsonl'));
    symlinkSync('/etc/passwd', at('link.jsonl'));
    unlinkSync(at('gone.jsonl'));
    for (const key of keys) {
      const { status, json } = await served.get(`/api/sessions/${key}`);
      expect([404, 500, 503]).toContain(status);
      expect(json).toMatchObject({ error: { code: expect.stringMatching(/session_not_found|storage_io/) } });
      expect(JSON.stringify(json)).not.toContain('root:');
      expect(JSON.stringify(json)).not.toContain(folder);
    }
    expect((await served.get('/api/health')).status).toBe(200);
  });
});

describe('a disk that fails', () => {
  const FAULTS: [string, (operation: string, file: string, count: number) => Fault][] = [
    [
      'a file that may not be read',
      (operation, file) => (operation === 'open' && file.endsWith('bad.jsonl') ? { error: 'EACCES' } : null),
    ],
    [
      'a file whose reads fail',
      (operation, file) => (operation === 'read' && file.endsWith('bad.jsonl') ? { error: 'EIO' } : null),
    ],
    ['reads of one byte', (operation, file) => (operation === 'read' && file.endsWith('bad.jsonl') ? { short: 1 } : null)],
    ['stats that fail', (operation, file) => (operation === 'stat' && file.endsWith('bad.jsonl') ? { error: 'EIO' } : null)],
  ];

  it.each(FAULTS)('%s hides no other session, and is said', async (name, plan) => {
    const disk = new MemoryDisk();
    for (const id of ['good', 'bad']) disk.writeFile(`/a/sessions/w/${id}.jsonl`, new TextEncoder().encode(chain(id, 4)));
    const served = await serve(await openRoot({ path: '/a' }, new FaultDisk(disk, plan)));
    expect(await served.ids()).toContain('good');
    const key = await served.key('good');
    for (const part of ['', '/outline', '/transcript', '/context'])
      expect((await served.get(`/api/sessions/${key}${part}`)).status).toBe(200);
    const isWhole = name === 'reads of one byte';
    expect((await served.ids()).includes('bad')).toBe(isWhole);
    expect(await served.problems()).toEqual(isWhole ? [] : ['unreadable bad.jsonl']);
  });
});
