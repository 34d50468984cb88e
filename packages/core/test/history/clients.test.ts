import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import type { HistoryEntry } from '../../src/history/index.ts';
import { databasePath, openHistory } from './databases.ts';

/** Databases that real clients made, with their own answers; `pnpm interop --record` asks them again. */
const SAMPLES = path.join(import.meta.dirname, 'samples');

interface ClientRow {
  id: number;
  prompt: string;
  created_at: number;
  cwd?: string;
  sessionId?: string;
}

interface Expected {
  source: string;
  recent: ClientRow[];
  found: { query: string; limit: number; rows: ClientRow[] }[];
}

function entry({ id, prompt, created_at, cwd, sessionId }: ClientRow): HistoryEntry {
  return { id, prompt, createdAt: created_at, cwd: cwd ?? null, sessionId: sessionId ?? null };
}

describe.each(readdirSync(SAMPLES))('the prompt history of %s', (name) => {
  const expected = JSON.parse(readFileSync(path.join(SAMPLES, name, 'expected.json'), 'utf8')) as Expected;
  const at = (): string => {
    const copy = databasePath();
    copyFileSync(path.join(SAMPLES, name, 'history.db'), copy);
    return copy;
  };

  it('is listed as its client lists it', () => {
    expect(openHistory(at()).getRecent(100)).toEqual(expected.recent.map(entry));
  });

  it.each(expected.found)('is searched for "$query" (limit $limit) as its client searches', ({ query, limit, rows }) => {
    expect(openHistory(at()).search(query, limit)).toEqual(rows.map(entry));
  });
});
