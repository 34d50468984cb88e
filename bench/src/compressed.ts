/** A log of 100 MB compressed, in 300,000 frames; and appends that are a frame each. */
import {
  compressFrame,
  openRoot,
  ProjectSessionStore,
  scanFrame,
  SessionManager,
  zstdEngine,
  type AgentMessage,
} from '@stemma/core';
import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import * as path from 'node:path';

import { dataFolder, sessionFiles } from './data.ts';
import type { Row } from './rows.ts';
import { appended, inFolder, opened, type Timed } from './tasks-shared.ts';

const CHUNK = 8 * 1024 * 1024;
/** Bodies that are read at random places. */
const BODIES = 1000;

const log = (): string => sessionFiles(dataFolder('dsh100'))[0]!;

/** Hands the content of each frame to `take`, with the place of the frame. Answers their number. */
function decodeFrames(file: string, take: (content: Buffer, at: number, length: number) => void): number {
  const engine = zstdEngine();
  const fd = openSync(file, 'r');
  const chunk = Buffer.allocUnsafe(CHUNK);
  let kept = 0;
  let before = 0;
  let frames = 0;
  for (;;) {
    const got = readSync(fd, chunk, kept, CHUNK - kept, null);
    if (got === 0) break;
    const there = chunk.subarray(0, kept + got);
    let at = 0;
    for (;;) {
      const scan = scanFrame(there, at);
      if (scan.kind !== 'frame') break;
      const { length, mostBytes } = scan.frame;
      const content = engine.decompress(there.subarray(at, at + length), mostBytes);
      take(Buffer.from(content.buffer, content.byteOffset, content.byteLength), before + at, length);
      frames++;
      at += length;
    }
    chunk.copy(chunk, 0, at, there.length);
    before += at;
    kept = there.length - at;
  }
  closeSync(fd);
  return frames;
}

/** The same decoder, cut into lines, each parsed and dropped. Frames hold whole lines. */
function parseFrames(file: string): number {
  let lines = 0;
  decodeFrames(file, (content) => {
    for (let start = 0; start < content.length;) {
      const lf = content.indexOf(10, start);
      JSON.parse(content.toString('utf8', start, lf));
      lines++;
      start = lf + 1;
    }
  });
  return lines;
}

/** What a list must read at least: the first frame, and as much of the end as we read. */
function endsBare(): Timed {
  const file = log();
  const start = performance.now();
  const { size } = statSync(file);
  const fd = openSync(file, 'r');
  const head = Buffer.alloc(8 * 1024);
  readSync(fd, head, 0, head.length, 0);
  readSync(fd, Buffer.alloc(64 * 1024), 0, 64 * 1024, Math.max(0, size - 64 * 1024));
  closeSync(fd);
  const scan = scanFrame(head, 0);
  if (scan.kind !== 'frame') throw new Error('no header');
  const header = JSON.parse(
    Buffer.from(zstdEngine().decompress(head.subarray(0, scan.frame.length), scan.frame.mostBytes)).toString(),
  );
  return { ms: performance.now() - start, result: Object.keys(header as object).length };
}

async function listed(): Promise<Timed> {
  const folder = dataFolder('dsh100');
  const start = performance.now();
  const root = await openRoot({ path: folder });
  const { sessions } = await root.scan();
  await root.summarise(sessions[0]!);
  return { ms: performance.now() - start, result: sessions.length };
}

/** The same frames, by a table of their places: read, decoded, one line parsed. */
function bodiesBare(): Timed {
  const places: { at: number; length: number }[] = [];
  decodeFrames(log(), (_, at, length) => places.push({ at, length }));
  const fd = openSync(log(), 'r');
  const engine = zstdEngine();
  const start = performance.now();
  let bytes = 0;
  for (let i = 0; i < BODIES; i++) {
    const { at, length } = places[Math.floor((((i * 7919) % BODIES) / BODIES) * (places.length - 1)) + 1]!;
    const frame = Buffer.allocUnsafe(length);
    readSync(fd, frame, 0, length, at);
    const scan = scanFrame(frame, 0);
    if (scan.kind !== 'frame') throw new Error('no frame');
    const content = Buffer.from(engine.decompress(frame, scan.frame.mostBytes));
    bytes += JSON.stringify(JSON.parse(content.toString('utf8', 0, content.indexOf(10)))).length;
  }
  const ms = performance.now() - start;
  closeSync(fd);
  return { ms, result: bytes };
}

async function bodies(): Promise<Timed> {
  const reader = await opened(dataFolder('dsh100'));
  const rows = reader.outline.rowCount;
  const start = performance.now();
  let found = 0;
  for (let i = 0; i < BODIES; i++) {
    const row = Math.floor((((i * 7919) % BODIES) / BODIES) * rows);
    found += (await reader.load([row])).length;
  }
  return { ms: performance.now() - start, result: found };
}

function appendBare(): Timed {
  return inFolder((folder) => {
    const fd = openSync(path.join(folder, 'session.jsonl.zstd'), 'a');
    const timestamp = new Date(0).toISOString();
    const append = (message: AgentMessage, i: number): void => {
      const entry = { type: 'message', id: String(i), parentId: String(i - 1), timestamp, message };
      writeSync(fd, compressFrame(Buffer.from(`${JSON.stringify(entry)}\n`)));
    };
    const result = appended(append);
    closeSync(fd);
    return result;
  });
}

function appendManaged(): Timed {
  return inFolder((folder) => {
    const store = new ProjectSessionStore({ root: folder, encoding: 'zstd' });
    const manager = SessionManager.create(folder, undefined, { store });
    manager.appendMessage({ role: 'assistant', content: [], stopReason: 'stop' });
    return appended((message) => void manager.appendMessage(message));
  });
}

export const COMPRESSED_TASKS = {
  'decode and drop loop, 300,000 frames': () => parseFrames(log()),
  'outline, 300,000 frames': async () => (await opened(dataFolder('dsh100'))).outline.rowCount,
  'ends, 300,000 frames': endsBare,
  'list, 300,000 frames': listed,
  'bodies by a table of frames': bodiesBare,
  'bodies, 300,000 frames': bodies,
  'append, bare, a frame each': appendBare,
  'append, project directories, zstd': appendManaged,
};

export const COMPRESSED_ROWS: readonly Row<keyof typeof COMPRESSED_TASKS>[] = [
  {
    what: 'outline of a compressed log, 100 MB in 300,000 frames',
    baseline: 'decode and drop loop, 300,000 frames',
    subject: 'outline, 300,000 frames',
    budget: 2,
    node: ['--max-old-space-size=256'],
    runs: 3,
  },
  {
    what: 'list of it',
    baseline: 'ends, 300,000 frames',
    subject: 'list, 300,000 frames',
    budget: Number.POSITIVE_INFINITY,
    mostMs: 50,
  },
  {
    what: '1,000 bodies at random places of it, one after another',
    baseline: 'bodies by a table of frames',
    subject: 'bodies, 300,000 frames',
    budget: 3,
    runs: 3,
  },
  {
    what: 'synchronous append in project directories, zstd: a frame each',
    baseline: 'append, bare, a frame each',
    subject: 'append, project directories, zstd',
    budget: 1.6,
  },
];
