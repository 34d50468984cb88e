import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { SessionStoreError, writePause, removePause } from '@stemma/core';

import { startServer } from '../src/index.ts';
import { Library } from '../src/library/library.ts';
import { SessionDetail, SessionsPage } from '../src/schemas/index.ts';
import { buildTestApp, conforming } from './build-test-app.ts';
import { fakeRoot, sessionFile, sliceSummary } from './fakes.ts';
import { chain } from './session-text.ts';

const JOURNAL = '/home/u/journal';

/** Seed 000: `<journal>/<sessionId>.pause.json`, present is paused. */
describe('a session that its host has paused', () => {
  it('says so in the list, by its filter, and in itself; and no longer when the note is gone', async () => {
    const { answer, get, key, disk, services } = await buildTestApp({
      files: { 'sessions/w/a.jsonl': chain('s1', 3), 'sessions/w/b.jsonl': chain('s2', 3) },
    });
    const lives = async (): Promise<unknown> => {
      await services.library.scan();
      const { items } = await answer(SessionsPage, '/api/sessions');
      return Object.fromEntries(items.map(({ id, live }) => [id, live]));
    };
    const detail = `/api/sessions/${key('s1')}`;
    expect(await lives()).toEqual({ s1: null, s2: null });
    const etag = (await get(detail)).headers['etag'] as string;

    writePause(JOURNAL, 's1', Date.now(), disk);
    writePause(JOURNAL, 'nobody', Date.now(), disk);
    // The session itself is looked up; the list follows with the next scan.
    expect((await get(detail, { 'if-none-match': etag })).statusCode).toBe(200);
    expect((await answer(SessionDetail, detail)).summary.live).toBe('paused');
    expect(await lives()).toEqual({ s1: 'paused', s2: null });
    const filtered = await answer(SessionsPage, '/api/sessions?status=paused');
    expect(filtered.items.map(({ id }) => id)).toEqual(['s1']);

    removePause(JOURNAL, 's1', disk);
    expect((await answer(SessionDetail, detail)).summary.live).toBeNull();
    expect(await lives()).toEqual({ s1: null, s2: null });
  });

  it('whose id is no file name is not, and nothing is looked up for it', async () => {
    const { answer, disk, services } = await buildTestApp({ files: { 'sessions/w/a.jsonl': chain('../journal/x', 3) } });
    disk.writeFile('/home/u/journal/x.pause.json', new Uint8Array());
    await services.library.scan();
    const { items } = await answer(SessionsPage, '/api/sessions');
    expect(items.map(({ live }) => live)).toEqual([null]);
    expect((await answer(SessionDetail, `/api/sessions/${items[0]!.key}`)).summary.live).toBeNull();
  });

  it('stays so while the notes cannot be read, which is a problem of the root', async () => {
    const { root, state } = fakeRoot([sessionFile('k')]);
    state.slices['k'] = () => sliceSummary({ id: 's1' });
    state.paused.add('s1');
    const library = new Library({ roots: [{ root, demo: false, home: '' }] });
    await library.scan();
    const failing = async (): Promise<never> => {
      throw new SessionStoreError('storage_io', 'no', { path: '/j', errno: 'EACCES' });
    };
    Object.assign(root, { pausedSessions: failing, isPaused: failing });
    await library.scan();
    expect(library.page({}).items.map(({ live }) => live)).toEqual(['paused']);
    expect(await library.isPaused(library.rows.get('k')!)).toBe(true);
    expect(library.rootRows()[0]!.problems).toMatchObject([{ code: 'unreadable', path: '/j' }]);
    library.close();
  });

  it('is found in the folder that the server is given, or the root names', async () => {
    const base = await mkdtemp(path.join(tmpdir(), 'stemma-paused-'));
    onTestFinished(() => rm(base, { recursive: true }));
    for (const name of ['one', 'two', 'journal', 'own']) await mkdir(path.join(base, name));
    const at = (...names: string[]): string => path.join(base, ...names);
    await writeFile(at('one', 'a.jsonl'), chain('s1', 3));
    await writeFile(at('two', 'b.jsonl'), chain('s2', 3));
    for (const file of ['journal/s1.pause.json', 'own/s2.pause.json']) await writeFile(at(file), '');
    const lives = async (journal?: string): Promise<unknown> => {
      const roots = [{ path: at('one') }, { path: at('two'), journal: at('own') }];
      const options = { host: '127.0.0.1', port: 0, roots, looked: [], demo: false, webRoot: '/nowhere' };
      const server = await startServer({ ...options, ...(journal === undefined ? {} : { journal }) });
      try {
        const page = conforming(SessionsPage, await (await fetch(`${server.url}/api/sessions`)).json());
        // Files this new count as at work, paused or not known: only a note says it for sure.
        return Object.fromEntries(page.items.map(({ id, live }) => [id, live === 'paused']));
      } finally {
        await server.close();
      }
    };
    expect(await lives(at('journal'))).toEqual({ s1: true, s2: true });
    expect(await lives()).toEqual({ s1: false, s2: true });
  });
});
