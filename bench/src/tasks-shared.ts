import { openRoot, type AgentMessage, type SessionReader } from '@stemma/core';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';

import { dataFolder, sessionFiles } from './data.ts';
import { parseLines } from './loops.ts';

/** A task that says itself how long the part took that counts. */
export interface Timed {
  ms: number;
  result: number;
}

const APPENDS = 40_000;
/** Appended before the clock runs, so that the code is warm on both sides. */
const WARM = 4_000;

/** The first messages of the generated session, parsed: what an agent hands over. */
function messages(count: number): AgentMessage[] {
  const found: AgentMessage[] = [];
  parseLines(sessionFiles(dataFolder('session100'))[0]!, (value) => {
    const entry = value as { type: string; message?: AgentMessage };
    if (found.length < count && entry.type === 'message') found.push(entry.message!);
  });
  return found;
}

/** Appends the first messages of the generated session; the result is how many counted. */
export function appended(append: (message: AgentMessage, i: number) => void): Timed {
  const given = messages(WARM + APPENDS);
  for (let i = 0; i < WARM; i++) append(given[i]!, i);
  const start = performance.now();
  for (let i = WARM; i < given.length; i++) append(given[i]!, i);
  return { ms: performance.now() - start, result: given.length - WARM };
}

/** Works in an empty folder that is gone afterwards. */
export function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'stemma-bench-append-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The only session of a generated folder, with its outline. */
export async function opened(folder: string): Promise<SessionReader> {
  const root = await openRoot({ path: folder });
  const { sessions } = await root.scan();
  const reader = root.openReader(sessions[0]!);
  await reader.ready;
  return reader;
}
