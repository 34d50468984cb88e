/** Writing: an append, and opening a large session for appending. */
import { SessionManager, type AgentMessage } from '@stemma/core';
import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
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

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'stemma-bench-append-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each message as an entry: `JSON.stringify` and one `fs.writeSync` on an open file. */
function appendBare(): Timed {
  const given = messages(WARM + APPENDS);
  return inFolder((folder) => {
    const fd = openSync(path.join(folder, 's.jsonl'), 'a');
    const timestamp = new Date(0).toISOString();
    let bytes = 0;
    const append = (message: AgentMessage, i: number): void => {
      const entry = { type: 'message', id: String(i), parentId: String(i - 1), timestamp, message };
      bytes += writeSync(fd, `${JSON.stringify(entry)}\n`);
    };
    const result = timed(given, append);
    closeSync(fd);
    return { ...result, result: bytes };
  });
}

function appendManaged(dialect: 'pi' | 'musepi'): Timed {
  const given = messages(WARM + APPENDS);
  return inFolder((folder) => {
    const manager = SessionManager.create(folder, folder, { dialect });
    manager.appendMessage({ role: 'assistant', content: [], stopReason: 'stop' });
    return timed(given, (message) => void manager.appendMessage(message));
  });
}

function timed(given: readonly AgentMessage[], append: (message: AgentMessage, i: number) => void): Timed {
  for (let i = 0; i < WARM; i++) append(given[i]!, i);
  const start = performance.now();
  for (let i = WARM; i < given.length; i++) append(given[i]!, i);
  return { ms: performance.now() - start, result: given.length - WARM };
}

/** Opens the session of 1 GB, a copy of it, and appends one message. */
function openForAppend(): Timed {
  const source = sessionFiles(dataFolder('session1g'))[0]!;
  return inFolder((folder) => {
    const file = path.join(folder, 'large.jsonl');
    copyFileSync(source, file);
    const start = performance.now();
    const manager = SessionManager.open(file, undefined, undefined, { dialect: 'pi' });
    manager.appendMessage({ role: 'user', content: 'one more' });
    return { ms: performance.now() - start, result: manager.getEntries().length };
  });
}

export const WRITING_TASKS = {
  'append, bare': appendBare,
  'append, pi': () => appendManaged('pi'),
  'append, musepi': () => appendManaged('musepi'),
  'keep loop, 1 GB': () => {
    const kept: unknown[] = [];
    parseLines(sessionFiles(dataFolder('session1g'))[0]!, (value) => kept.push(value));
    return kept.length;
  },
  'open for appending, 1 GB': openForAppend,
};

type WritingTask = keyof typeof WRITING_TASKS;

/** Rows of the table, see `main.ts`. */
export const WRITING_ROWS: {
  what: string;
  baseline: WritingTask;
  subject: WritingTask;
  budget: number;
  memory?: number;
  node?: string[];
  runs?: number;
}[] = [
  { what: 'synchronous append, Pi’s form', baseline: 'append, bare', subject: 'append, pi', budget: 1.6 },
  { what: 'synchronous append, MusePi’s form', baseline: 'append, bare', subject: 'append, musepi', budget: 1.6 },
  {
    what: 'a 1 GB session opened for appending, and one append',
    baseline: 'keep loop, 1 GB',
    subject: 'open for appending, 1 GB',
    budget: Number.POSITIVE_INFINITY,
    memory: 1.1,
    node: ['--max-old-space-size=8000'],
    runs: 3,
  },
];
