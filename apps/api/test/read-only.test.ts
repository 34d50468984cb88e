import { openRoot } from '@stemma/core';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { buildApp } from '../src/app.ts';
import { createServices } from '../src/create-services.ts';
import { authoritiesOf } from '../src/http/guard.ts';
import { assistant, chain, compaction, header, PNG, text, user } from './session-text.ts';

/** Every file and folder with its time, and every file with its bytes. */
async function picture(folder: string): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const { mtimeNs, size } = await stat(file, { bigint: true });
    const hash = entry.isFile()
      ? createHash('sha256')
          .update(await readFile(file))
          .digest('hex')
      : '';
    seen[path.relative(folder, file)] = `${mtimeNs} ${size} ${hash}`;
  }
  seen['.'] = String((await stat(folder, { bigint: true })).mtimeNs);
  return seen;
}

async function store(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stemma-store-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const image = { type: 'image', data: PNG, mimeType: 'image/png' };
  const files = {
    'sessions/-w/old.jsonl': text(
      { type: 'session', id: 'v1', timestamp: '2025-01-01T00:00:00.000Z', cwd: '/w' },
      { type: 'message', timestamp: '2025-01-01T00:00:01.000Z', message: { role: 'user', content: 'an old one' } },
      { type: 'compaction', timestamp: '2025-01-01T00:00:02.000Z', summary: 'x', firstKeptEntryIndex: 1, tokensBefore: 10 },
    ),
    'sessions/-w/s1.jsonl': text(
      header('s1'),
      { ...user('a', null, ''), message: { role: 'user', content: [image] } },
      assistant('b', 'a', 'yes'),
      compaction('c', 'b', 'a', 'sum'),
    ),
    'sessions/-w/torn.jsonl': text(header('s2'), user('a', null, 'x')) + '{"type":"mess',
    'sessions/-w/notes.jsonl': 'no session',
    'sessions/-w/empty.jsonl': '',
    'sessions/-w/long.jsonl': chain('s3', 500),
    'blobs/README': 'x',
  };
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), content);
    await utimes(path.join(folder, file), new Date(1e12), new Date(1e12));
  }
  return folder;
}

it('looking at sessions changes no byte and no time', async () => {
  const folder = await store();
  const before = await picture(folder);
  const root = await openRoot({ path: folder });
  const services = createServices({
    roots: [{ root, demo: false, home: '' }],
    looked: [],
    demo: false,
    version: '0',
    onError: (error) => expect(error).toBeUndefined(),
  });
  const app = await buildApp({ services, authorities: () => authoritiesOf(80), webRoot: path.join(folder, 'no-such') });
  services.start();
  await services.settled();
  const get = async (url: string): Promise<number> => (await app.inject({ url, headers: { host: 'localhost' } })).statusCode;
  for (const url of ['/api/health', '/api/roots', '/api/projects', '/api/sessions'])
    expect([url, await get(url)]).toEqual([url, 200]);
  const keys = [...services.library.rows.values()].map((entry) => entry.row.key);
  expect(keys.length).toBeGreaterThanOrEqual(4);
  for (const key of keys) {
    for (const part of [
      '',
      '/outline',
      '/entries/@0',
      '/entries/@0?raw=1',
      '/lines/0',
      '/lines/0?raw=1',
      '/transcript',
      '/context',
      '/context?bodies=1',
      '/compactions',
    ]) {
      expect([part, await get(`/api/sessions/${key}${part}`)]).toEqual([part, 200]);
    }
    await get(`/api/sessions/${key}/entries/@0/images/0`);
  }
  services.close();
  await app.close();
  expect(await picture(folder)).toEqual(before);
});
