import { compressFrame } from '@stemma/core';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { Outline, Roots, SessionDetail, SessionsPage, Transcript } from '../src/schemas/index.ts';
import { buildTestApp, type TestApp } from './build-test-app.ts';
import { chain, header, text, user } from './session-text.ts';

/** Real logs that lie beside the project where they are used for tests; a clone has none. */
const DATA = path.resolve(import.meta.dirname, '../../../../shared/data/dsh');
const absent = existsSync(DATA) ? '' : ' (skipped: no ../shared/data beside the project)';

const APP = '--home-u-app--';

function log(id: string, more: Record<string, unknown> = {}, prompts = 1): string {
  const head = { type: 'session', version: 0, id, createdAt: 1_000, cwd: '/home/u/app', delegationDepth: 0, ...more };
  const lines = [head, ...Array.from({ length: prompts }, (_, seq) => prompt(seq, `question ${String(seq)} of ${id}`))];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function prompt(seq: number, words: string): object {
  const data = { id: `m${String(seq)}`, role: 'user', content: [{ type: 'text', text: words }], source: { kind: 'user' } };
  return { seq, time: 2_000 + seq, type: 'user/message', data, surfaceOp: 'append' };
}

const framed = (lines: string): Uint8Array =>
  new Uint8Array(Buffer.concat(lines.split(/(?<=\n)/).map((line) => compressFrame(new TextEncoder().encode(line)))));

const idsOf = async ({ answer }: TestApp): Promise<(string | null)[]> =>
  (await answer(SessionsPage, '/api/sessions?limit=500')).items.map((row) => row.id).sort();

const detail = (app: TestApp, id: string) => app.answer(SessionDetail, `/api/sessions/${app.key(id)}`);

describe('sessions in project directories', () => {
  it('are listed with what is wrong with where they lie, and read all the same', async () => {
    const app = await buildTestApp({
      root: { path: '/data', dialect: 'dsh' },
      files: {
        [`${APP}/right/session.jsonl.zstd`]: framed(log('right')),
        [`${APP}/moved/session.jsonl`]: log('moved', { cwd: '/elsewhere' }),
        [`${APP}/flat.jsonl`]: log('flat'),
        [`${APP}/twice/session.jsonl`]: log('twice'),
        [`${APP}/twice/session.jsonl.zstd`]: framed(log('twice', {}, 3)),
        [`${APP}/named/session.v3.jsonl`]: log('named'),
        [`${APP}/empty/session.jsonl.zstd`]: '',
      },
    });
    expect(await idsOf(app)).toEqual(['flat', 'moved', 'named', 'right', 'twice']);
    const wrong: Record<string, string[]> = {};
    for (const id of ['right', 'moved', 'flat', 'twice', 'named']) {
      const { problems, problemsTotal, summary } = await detail(app, id);
      wrong[id] = problems.map(({ code }) => code);
      expect([id, problemsTotal, summary.problemCount]).toEqual([id, problems.length, problems.length]);
    }
    expect(wrong).toEqual({
      right: [],
      moved: ['misplaced_session'],
      flat: ['flat_session'],
      twice: ['two_encodings'],
      named: ['version_mismatch'],
    });
    expect((await detail(app, 'twice')).summary.entryCount).toBe(3);
    const { items } = await app.answer(Roots, '/api/roots');
    expect(items.map(({ dialect, sessionCount, problems }) => [dialect, sessionCount, problems.map(({ code }) => code)])).toEqual(
      [['dsh', 5, ['not_a_session']]],
    );
  });

  it('with one id are named, each of them, until one is gone', async () => {
    const files = { [`${APP}/s1/session.jsonl`]: log('s1'), '--b--/s1/session.jsonl': log('s1', { cwd: '/b' }) };
    const app = await buildTestApp({ root: { path: '/data', dialect: 'dsh' }, files });
    const counts = async () => (await app.answer(SessionsPage, '/api/sessions')).items.map((row) => row.problemCount);
    expect(await counts()).toEqual([1, 1]);
    const { problems } = await detail(app, 's1');
    expect(problems.map(({ code }) => code)).toEqual(['session_repeated']);
    app.disk.unlinkSync('/data/--b--/s1/session.jsonl');
    await app.services.library.scan();
    expect(await counts()).toEqual([0]);
    expect((await detail(app, 's1')).problems).toEqual([]);
  });

  it('keep their address when their log gets another encoding, and are read from it', async () => {
    const at = `${APP}/s1/session.jsonl`;
    const app = await buildTestApp({ root: { path: '/data', dialect: 'dsh' }, files: { [at]: log('s1') } });
    const key = app.key('s1');
    expect((await detail(app, 's1')).summary.entryCount).toBe(1);
    app.disk.unlinkSync(`/data/${at}`);
    app.write(`${at}.zstd`, framed(log('s1', {}, 4)));
    await app.services.library.scan();
    expect(app.key('s1')).toBe(key);
    const { summary } = await detail(app, 's1');
    expect([summary.entryCount, path.basename(summary.path)]).toEqual([4, 'session.jsonl.zstd']);
  });

  it('know their parents by id: sub-agents and forks; one that is not there is named', async () => {
    const app = await buildTestApp({
      root: { path: '/data', dialect: 'dsh' },
      files: {
        [`${APP}/parent/session.jsonl`]: log('parent'),
        [`${APP}/agent/session.jsonl`]: log('agent', { parentSession: 'parent', origin: 'subagent', delegationDepth: 1 }),
        [`${APP}/fork/session.jsonl`]: log('fork', { parentSession: 'parent', seedLength: 1 }, 2),
        [`${APP}/deeper/session.jsonl`]: log('deeper', { parentSession: 'agent', origin: 'subagent', delegationDepth: 2 }),
        [`${APP}/lost/session.jsonl`]: log('lost', { parentSession: 'nobody', origin: 'subagent', delegationDepth: 1 }),
      },
    });
    const parents = Object.fromEntries(
      (await app.answer(SessionsPage, '/api/sessions')).items.map((row) => [row.id, row.parentKey]),
    );
    expect(parents).toEqual({
      parent: null,
      agent: app.key('parent'),
      fork: app.key('parent'),
      deeper: app.key('agent'),
      lost: null,
    });
    expect((await detail(app, 'parent')).children.map(({ id }) => id).sort()).toEqual(['agent', 'fork']);
    expect((await detail(app, 'lost')).header).toMatchObject({ parentSession: 'nobody' });
    expect((await detail(app, 'fork')).inheritedRows).toBe(1);
  });

  it('of our own have their sub-sessions and their blobs with them', async () => {
    const hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'; // of "abc"
    const image = { type: 'image', data: `blob:sha256:${hash}`, mimeType: 'image/png' };
    const message = { role: 'user', content: [image], timestamp: 1 };
    const withImage = text(header('s1', { cwd: '/home/u/app' }), { ...user('a', null, ''), message });
    const app = await buildTestApp({
      root: { path: '/data', dialect: 'projects' },
      files: {
        [`${APP}/s1/session.jsonl`]: withImage,
        [`${APP}/s1/blobs/${hash}`]: 'abc',
        [`${APP}/s1/task.jsonl`]: chain('task', 2),
        [`${APP}/s2/session.jsonl`]: withImage.replace('"s1"', '"s2"'),
      },
    });
    const rows = (await app.answer(SessionsPage, '/api/sessions')).items;
    expect(rows.find((row) => row.id === 'task')?.parentKey).toBe(app.key('s1'));
    const codes = async (id: string) => (await detail(app, id)).problems.map(({ code }) => code);
    expect([await codes('s1'), await codes('s2')]).toEqual([[], ['blob_missing']]);
    const blob = await app.get(`/api/blobs/${hash}`);
    expect([blob.statusCode, blob.body]).toEqual([200, 'abc']);
  });
});

describe.skipIf(absent !== '')(`real logs of DeepSeek Harness${absent}`, () => {
  const served = (...names: string[]) => buildTestApp({ onDisk: { path: path.join(DATA, ...names), dialect: 'dsh' } });

  it('are the same sessions in both encodings', { timeout: 120_000 }, async () => {
    const [raw, zstd] = [await served('raw'), await served('zstd')];
    const ids = await idsOf(raw);
    expect(ids).toHaveLength(readdirSync(path.join(DATA, 'raw/--work-demo--')).length);
    expect(await idsOf(zstd)).toEqual(ids);
    for (const id of ids) {
      const [one, other] = await Promise.all([raw, zstd].map((app) => shown(app, id!)));
      expect([id, other]).toEqual([id, one]);
    }
  });

  it.each<[string, string | null, string[]]>([
    ['ok', 'session-todo-write', []],
    ['header-frame-only', 'session-todo-write', []],
    ['both-encodings', 'session-todo-write', ['two_encodings']],
    ['torn-magic', 'session-todo-write', ['frame_torn']],
    ['torn-final-frame-half', 'session-todo-write', ['frame_torn']],
    ['raw-torn-last-line', 'session-todo-write', ['torn_tail']],
    ['raw-seq-gap-before-turn-end', 'session-todo-write', ['seq_gap']],
    ['raw-unknown-required-event', 'session-todo-write', []],
    ['raw-future-version', 'session-todo-write', ['newer_version', 'version_mismatch']],
    ['corrupt-header-checksum', null, ['frame_damaged', 'header_missing']],
    ['first-frame-not-header', null, ['header_missing']],
  ])('%s is one session that is read as far as it goes', async (name, id, codes) => {
    const app = await served('damaged', name);
    const { items } = await app.answer(SessionsPage, '/api/sessions');
    expect(items.map((row) => row.id)).toEqual([id]);
    const { problems } = await app.answer(SessionDetail, `/api/sessions/${items[0]!.key}`);
    expect(problems.map(({ code }) => code).sort()).toEqual(codes);
    expect(items[0]!.entryCount! > 0).toBe(name !== 'header-frame-only');
  });

  it('an empty file is named, and is no session', async () => {
    const app = await served('damaged', 'empty-file');
    const { items } = await app.answer(Roots, '/api/roots');
    expect(items.map(({ sessionCount, problems }) => [sessionCount, problems.map(({ code }) => code)])).toEqual([
      [0, ['not_a_session']],
    ]);
  });

  it('one of format 3, whose events are without numbers, is read, and names the parent that is not there', async () => {
    const app = await served('_v3-subagent-child', 'session.v3.jsonl');
    const { items } = await app.answer(SessionsPage, '/api/sessions');
    const { header: head, problems, summary } = await app.answer(SessionDetail, `/api/sessions/${items[0]!.key}`);
    expect([typeof (head as { parentSession?: unknown }).parentSession, summary.parentKey]).toEqual(['string', null]);
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['header_invalid', 'missing_id']));
    expect(summary.entryCount).toBeGreaterThan(10);
  });
});

/** All that is shown of a session, but for where it lies and when its file was written. */
async function shown(app: TestApp, id: string): Promise<unknown> {
  const key = app.key(id);
  const { statistics, compactions, labels, leafId, header: head, problems, inheritedRows, summary } = await detail(app, id);
  const { title, firstPrompt, models, tokens, cost, entryCount, messageCount, branchCount, status, shape } = summary;
  const outline = await app.answer(Outline, `/api/sessions/${key}/outline`);
  const transcript = await app.answer(Transcript, `/api/sessions/${key}/transcript?limit=500`);
  const same = JSON.stringify({ outline, transcript }, (name, value: unknown) =>
    ['epoch', 'revision', 'progress'].includes(name) ? undefined : value,
  ).replaceAll(key, 'KEY');
  const counts = { title, firstPrompt, models, tokens, cost, entryCount, messageCount, branchCount, status, shape };
  return { statistics, compactions, labels, leafId, head, problems, inheritedRows, counts, same };
}
