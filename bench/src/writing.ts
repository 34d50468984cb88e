/** Writing: an append, and opening a large session for appending. */
import { SessionManager, type AgentMessage } from '@stemma/core';
import { closeSync, copyFileSync, openSync, writeSync } from 'node:fs';
import * as path from 'node:path';

import { dataFolder, sessionFiles } from './data.ts';
import { parseLines } from './loops.ts';
import type { Row } from './rows.ts';
import { appended, inFolder, type Timed } from './tasks-shared.ts';

/** Each message as an entry: `JSON.stringify` and one `fs.writeSync` on an open file. */
function appendBare(): Timed {
  return inFolder((folder) => {
    const fd = openSync(path.join(folder, 's.jsonl'), 'a');
    const timestamp = new Date(0).toISOString();
    let bytes = 0;
    const append = (message: AgentMessage, i: number): void => {
      const entry = { type: 'message', id: String(i), parentId: String(i - 1), timestamp, message };
      bytes += writeSync(fd, `${JSON.stringify(entry)}\n`);
    };
    const result = appended(append);
    closeSync(fd);
    return { ...result, result: bytes };
  });
}

function appendManaged(dialect: 'pi' | 'musepi'): Timed {
  return inFolder((folder) => {
    const manager = SessionManager.create(folder, folder, { dialect });
    manager.appendMessage({ role: 'assistant', content: [], stopReason: 'stop' });
    return appended((message) => void manager.appendMessage(message));
  });
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

export const WRITING_ROWS: readonly Row<keyof typeof WRITING_TASKS>[] = [
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
