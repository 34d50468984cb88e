import { mkdtempSync, rmSync, writeFileSync, appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import type * as Core from '../../src/index.ts';
import { SessionBuilder } from '../../src/testing/session-builder.ts';
import type { SessionDecoder } from '../../src/logs/session-decoder.ts';

// The thread runs the built code: Node cannot start a thread from TypeScript.
const built = (await import(new URL('../../dist/index.js', import.meta.url).href)) as typeof Core;
const { DecodeThread, openRoot } = built;

const folder = mkdtempSync(path.join(tmpdir(), 'stemma-thread-'));
const thread = new DecodeThread();
afterAll(async () => {
  await thread.close();
  rmSync(folder, { recursive: true, force: true });
});

function bigSession(entries: number): string {
  const session = new SessionBuilder();
  for (let i = 0; i < entries; i++) {
    session.message('user', {
      content: `${String(i)} ${'word '.repeat(40)}`,
      ...(i % 100 === 99 ? { id: `own-${String(i)}` } : {}),
    });
    if (i % 500 === 0) session.entry('label', { targetId: session.leafId, label: `at ${String(i)}` });
  }
  return `${session.text()}not json\n{"type":"message","id":"last`;
}

async function readerOf(name: string, text: string, withThread: boolean): ReturnType<typeof open> {
  writeFileSync(path.join(folder, name), text);
  return open(name, withThread);
}

async function open(name: string, withThread: boolean) {
  const root = await openRoot({ path: path.join(folder, name) });
  const { sessions } = await root.scan();
  const reader = root.openReader(sessions[0]!, withThread ? { thread } : {});
  await reader.ready;
  return reader;
}

const rowsOf = (outline: SessionDecoder['outline']): unknown[] =>
  Array.from({ length: outline.rowCount }, (_, row) => [
    outline.id(row),
    outline.parent(row),
    outline.type(row),
    outline.title(row),
    outline.time(row),
    outline.offset(row),
    outline.bytes(row),
    outline.flags(row),
    outline.rowOf(outline.id(row)),
    outline.target(row),
  ]);

describe('a file decoded in a thread', () => {
  it('is read as without one, problems and bodies too', async () => {
    const text = bigSession(3000);
    expect(text.length).toBeGreaterThan(512 * 1024);
    const apart = await readerOf('a.jsonl', text, true);
    const here = await open('a.jsonl', false);
    expect(rowsOf(apart.outline)).toEqual(rowsOf(here.outline));
    expect(apart.problems).toEqual(here.problems);
    expect(apart.problems.map((found) => found.code)).toEqual(['bad_json', 'torn_tail']);
    expect(await apart.load([0, 2999])).toEqual(await here.load([0, 2999]));
    apart.close();
    here.close();
  });

  it('goes on where the thread stopped when the file grows', async () => {
    const reader = await readerOf('b.jsonl', bigSession(3000), true);
    const { rowCount } = reader.outline;
    const { epoch } = reader;
    const lastId = reader.outline.id(rowCount - 1);
    appendFileSync(
      path.join(folder, 'b.jsonl'),
      `-one","parentId":"${lastId}","timestamp":"2026-02-01T00:00:00.000Z","message":{"role":"user","content":"more"}}\n`,
    );
    expect(await reader.refresh()).toBe('appended');
    expect(reader.epoch).toBe(epoch);
    expect(reader.outline.rowCount).toBe(rowCount + 1);
    expect(reader.outline.id(rowCount)).toBe('last-one');
    expect(reader.outline.parent(rowCount)).toBe(rowCount - 1);
    expect(reader.problems.map((found) => found.code)).toEqual(['bad_json']);
    reader.close();
  });

  it('is decoded here when the thread is closed', async () => {
    const other = new DecodeThread();
    await other.close();
    const root = await openRoot({ path: path.join(folder, 'a.jsonl') });
    const { sessions } = await root.scan();
    const reader = root.openReader(sessions[0]!, { thread: other });
    await reader.ready;
    expect(reader.outline.rowCount).toBeGreaterThan(3000);
    reader.close();
  });

  it('can be stopped', async () => {
    const root = await openRoot({ path: path.join(folder, 'a.jsonl') });
    const { sessions } = await root.scan();
    const reader = root.openReader(sessions[0]!, { thread });
    reader.close();
    await expect(reader.ready).rejects.toMatchObject({ code: 'cancelled' });
  });
});
