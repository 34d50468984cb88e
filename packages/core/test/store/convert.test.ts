import { chmodSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ZstdDisk } from '../../src/codec/zstd/zstd-disk.ts';
import { compressFrame } from '../../src/codec/zstd/engine.ts';
import { readSpanSync, type Disk, type DiskFile } from '../../src/disk/disk.ts';
import { FaultDisk } from '../../src/disk/fault-disk.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { NodeDisk } from '../../src/disk/node-disk.ts';
import type { ErrorCode } from '../../src/errors.ts';
import { SessionManager } from '../../src/manager/session-manager.ts';
import { logsAmong, type LogEncoding } from '../../src/shapes/projects.ts';
import { DiskSessionStorage } from '../../src/storage/disk-storage.ts';
import { convertSession } from '../../src/store/convert.ts';
import { ProjectSessionStore } from '../../src/store/project-store.ts';
import { temporaryFolder, writeFiles } from './node-fixture.ts';

const FOLDER = '/root/--work-app--/s1';
const HEADER = '{"type":"session","version":3,"id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/work/app"}\n';
const OTHER: Record<LogEncoding, LogEncoding> = { raw: 'zstd', zstd: 'raw' };
const NAMES: Record<LogEncoding, string> = { raw: 'session.jsonl', zstd: 'session.jsonl.zstd' };

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const entry = (n: number): string =>
  `${JSON.stringify({ type: 'custom', customType: 'note', id: `e${String(n)}`, parentId: n === 0 ? null : `e${String(n - 1)}`, data: 'x'.repeat(n * 7) })}\n`;
const LOG = HEADER + Array.from({ length: 40 }, (_, n) => entry(n)).join('');

/** A session of one encoding on a disk in memory. */
function stored(encoding: LogEncoding, log: string | Uint8Array = LOG): MemoryDisk {
  const disk = new MemoryDisk(() => Date.UTC(2026, 0, 1));
  disk.mkdirSync(FOLDER);
  const bytes = typeof log === 'string' ? encode(log) : log;
  const file = new ZstdDisk(disk).openSync(path.join(FOLDER, NAMES[encoding]), 'create');
  if (bytes.length > 0) file.writeSync(bytes, 0, bytes.length, 0);
  file.closeSync();
  return disk;
}

const namesIn = (disk: Disk, folder = FOLDER): string[] => disk.readdirSync(folder).map(({ name }) => name);

function decoded(disk: Disk, at: string): Uint8Array {
  const file = new ZstdDisk(disk).openSync(at, 'read');
  try {
    return new Uint8Array(readSpanSync(file, 0, file.statSync().size));
  } finally {
    file.closeSync();
  }
}

/** The logs that count, which must be one, and what is in it. */
function theLog(disk: Disk, folder = FOLDER): { encoding: LogEncoding; text: string } {
  const logs = logsAmong(namesIn(disk, folder));
  expect(logs).toHaveLength(1);
  const text = new TextDecoder().decode(decoded(disk, path.join(folder, logs[0]!)));
  return { encoding: logs[0]!.endsWith('.zstd') ? 'zstd' : 'raw', text };
}

const convert = (disk: Disk, to: LogEncoding, options: Parameters<typeof convertSession>[2] = {}) =>
  convertSession(FOLDER, to, { storage: { disk }, ...options });

async function refused(code: ErrorCode, work: Promise<unknown>): Promise<void> {
  await expect(work).rejects.toMatchObject({ code });
}

/** A kill leaves the lock of a process that is gone; here that process is ours. */
function removeLocks(disk: MemoryDisk): void {
  for (const name of namesIn(disk)) if (name.endsWith('.owner')) disk.unlinkSync(path.join(FOLDER, name));
}

describe.each(['raw', 'zstd'] as const)('a %s session', (from) => {
  const to = OTHER[from];

  it('has the same log in the other encoding, and nothing is left', async () => {
    const disk = stored(from);
    const size = disk.statSync(path.join(FOLDER, NAMES[from])).size;
    const done: number[] = [];
    const answer = await convert(disk, to, { onProgress: (part) => done.push(part) });
    const log = path.join(FOLDER, NAMES[to]);
    expect(answer).toEqual({ log, changed: true, kept: null, sizeBefore: size, sizeNow: disk.statSync(log).size });
    expect(theLog(disk)).toEqual({ encoding: to, text: LOG });
    expect(namesIn(disk)).toEqual([NAMES[to]]);
    expect([...done].sort((a, b) => a - b)).toEqual(done);
    expect(done.at(-1)).toBe(1);
  });

  it('is the same file after the way back', async () => {
    const disk = stored(from);
    await convert(disk, to);
    await convert(disk, from);
    expect(theLog(disk)).toEqual({ encoding: from, text: LOG });
    expect(namesIn(disk)).toEqual([NAMES[from]]);
  });

  it('that has the encoding already is left alone', async () => {
    const disk = stored(from);
    const { revision } = statOf(disk, from);
    expect(await convert(disk, from)).toMatchObject({ changed: false, kept: null });
    expect(statOf(disk, from).revision).toBe(revision);
    expect(namesIn(disk)).toEqual([NAMES[from]]);
  });

  it('is kept beside the new one where that is wanted', async () => {
    const disk = stored(from);
    const before = decoded(disk, path.join(FOLDER, NAMES[from]));
    const { kept } = await convert(disk, to, { keep: true });
    expect(path.basename(kept!)).toMatch(new RegExp(`^${NAMES[from]}\\.before-[0-9a-f]{8}$`));
    const raw = disk.openSync(kept!, 'read');
    const bytes = readSpanSync(raw, 0, raw.statSync().size);
    if (from === 'raw') expect(Buffer.compare(bytes, before)).toBe(0);
    expect(theLog(disk)).toEqual({ encoding: to, text: LOG });
  });

  it.each([
    ['an unfinished last line', `${LOG}{"type":"custom","id":"to`],
    ['lines that are no records, and an empty one', `${HEADER}not json\n\n${entry(0)}{}\n`],
    ['bytes that are no text', Buffer.concat([encode(HEADER), Buffer.from([0xff, 0xfe, 0x0a, 0x00, 0x0a])])],
    ['a header alone', HEADER],
    ['a title line before its header', `${JSON.stringify({ type: 'title', v: 1, title: 'T', pad: ' '.repeat(200) })}\n${LOG}`],
  ])('with %s keeps every byte', async (_, log) => {
    const disk = stored(from, log);
    await convert(disk, to);
    const { encoding, text } = theLog(disk);
    expect(encoding).toBe(to);
    expect(text).toBe(new TextDecoder().decode(typeof log === 'string' ? encode(log) : log));
  });

  it('keeps every byte, whatever they are', async () => {
    const anything = fc.uint8Array({ maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(anything, fc.nat({ max: 3 }), async (bytes, copies) => {
        const log = Buffer.concat([encode(HEADER), ...Array.from({ length: copies }, () => bytes)]);
        const disk = stored(from, log);
        await convert(disk, to);
        expect(Buffer.compare(decoded(disk, path.join(FOLDER, NAMES[to])), log)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('is whole and there once, at whatever operation the process is killed', async () => {
    for (const keep of [false, true]) {
      for (let at = 1, ended = false; !ended; at++) {
        const disk = stored(from);
        const dead = new FaultDisk(disk, (_operation, _path, count) => (count >= at ? { error: 'EIO' } : null));
        try {
          await convert(dead, to, { keep });
        } catch {
          // Which error a dead process would have seen is nobody's business.
        }
        ended = dead.count < at;
        expect(theLog(disk).text).toBe(LOG);
        // The next one who converts finds his way, and leaves one log.
        removeLocks(disk);
        await convert(disk, to);
        expect(theLog(disk)).toEqual({ encoding: to, text: LOG });
        const left = namesIn(disk).filter((name) => !name.includes('.before-') && !name.startsWith('..'));
        expect(left).toEqual([NAMES[to]]);
      }
    }
  });

  it('is whole and there once, whichever operation the disk refuses', async () => {
    for (const error of ['EIO', 'ENOSPC', 'EACCES']) {
      for (let at = 1, ended = false; !ended; at++) {
        const disk = stored(from);
        const bad = new FaultDisk(disk, (_operation, _path, count) => (count === at ? { error } : null));
        const answer = await convert(bad, to).catch((reason: unknown) => reason);
        ended = bad.count < at;
        const { encoding, text } = theLog(disk);
        expect(text).toBe(LOG);
        const failed = answer instanceof Error;
        expect(encoding).toBe(failed ? from : to);
        if (failed) expect(answer).toMatchObject({ name: 'SessionStoreError' });
        // Nothing of it is ours any more.
        await convert(disk, to);
        expect(theLog(disk).encoding).toBe(to);
      }
    }
  });

  it('stays as it is when it is told to stop, at any step', async () => {
    let steps = 0;
    await convert(stored(from), to, { onProgress: () => steps++ });
    expect(steps).toBeGreaterThan(1);
    for (let stopAt = 1; stopAt <= steps; stopAt++) {
      const disk = stored(from);
      const stop = new AbortController();
      let step = 0;
      const onProgress = (): void => (++step === stopAt ? stop.abort(new Error('enough')) : undefined);
      await expect(convert(disk, to, { signal: stop.signal, onProgress })).rejects.toThrow('enough');
      expect(namesIn(disk)).toEqual([NAMES[from]]);
      expect(theLog(disk)).toEqual({ encoding: from, text: LOG });
    }
  });

  it('that somebody writes to meanwhile stays as it is, with what he wrote', async () => {
    const disk = stored(from);
    let isWritten = false;
    const more = encode(entry(40));
    const onProgress = (done: number): void => {
      if (isWritten || done < 0.5) return;
      isWritten = true;
      const file = new ZstdDisk(disk).openSync(path.join(FOLDER, NAMES[from]), 'append');
      file.writeSync(more, 0, more.length, null);
      file.closeSync();
    };
    await refused('session_conflict', convert(disk, to, { onProgress }));
    expect(namesIn(disk)).toEqual([NAMES[from]]);
    expect(theLog(disk)).toEqual({ encoding: from, text: LOG + entry(40) });
  });

  it('stays as it is where the disk does not hold what it was given', async () => {
    const disk = stored(from);
    const lying = new Proxy(disk, {
      get(target, name) {
        if (name === 'openSync')
          return (at: string, ...how: ['create']) => {
            const file = target.openSync(at, ...how);
            return at.endsWith('.tmp') && !at.includes('.owner.') ? forgetful(file) : file;
          };
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    await refused('storage_io', convert(lying, to));
    expect(namesIn(disk)).toEqual([NAMES[from]]);
    expect(theLog(disk)).toEqual({ encoding: from, text: LOG });
  });

  it('is not converted while somebody has it open', async () => {
    const disk = stored(from);
    const storage = new DiskSessionStorage(disk);
    const store = new ProjectSessionStore({ root: '/root', storage });
    const handle = store.openSync('s1', 'write');
    await refused('session_owned', convert(disk, to));
    expect(theLog(disk)).toEqual({ encoding: from, text: LOG });
    await handle.close();
    await convert(disk, to);

    // Nor can it be opened while it is converted.
    let refusals = 0;
    await convert(disk, from, {
      onProgress: () => {
        expect(() => store.openSync('s1', 'write')).toThrow(expect.objectContaining({ code: 'session_owned' }));
        refusals++;
      },
    });
    expect(refusals).toBeGreaterThan(0);
    await store.openSync('s1', 'write').close();
  });

  it('is opened, listed and continued as before', async () => {
    const disk = stored(from);
    const storage = new DiskSessionStorage(disk);
    const store = new ProjectSessionStore({ root: '/root', storage });
    const oldPath = store.locate('s1')!;
    await convert(disk, to);
    const { sessions, problems } = await store.list();
    expect(sessions.map(({ id, path: at }) => [id, at])).toEqual([['s1', path.join(FOLDER, NAMES[to])]]);
    expect(problems).toEqual([]);
    // Also by the path that somebody noted before.
    const manager = SessionManager.open(oldPath, undefined, undefined, { storage });
    expect(manager.getEntries()).toHaveLength(40);
    manager.appendMessage({ role: 'assistant', content: [{ type: 'text', text: 'on' }] });
    await manager.close();
    expect(theLog(disk)).toMatchObject({ encoding: to });
    expect(theLog(disk).text.startsWith(LOG)).toBe(true);
  });

  it('keeps its time and its permissions, and those of nothing else matter', async () => {
    const folder = path.join(temporaryFolder(), '--work-app--', 's1');
    writeFiles(folder, { 'notes.txt': 'mine', 'blobs/x': 'y' });
    const file = new ZstdDisk(new NodeDisk()).openSync(path.join(folder, NAMES[from]), 'create');
    file.writeSync(encode(LOG), 0, LOG.length, 0);
    file.closeSync();
    chmodSync(path.join(folder, NAMES[from]), 0o640);
    utimesSync(path.join(folder, NAMES[from]), 1_700_000_000, 1_700_000_000);
    const { log } = await convertSession(path.join(folder, NAMES[from]), to);
    expect(statSync(log).mode & 0o777).toBe(0o640);
    expect(statSync(log).mtimeMs).toBe(1_700_000_000_000);
    expect(readdirSync(folder).sort()).toEqual(['blobs', 'notes.txt', NAMES[to]].sort());
    expect(readFileSync(path.join(folder, 'notes.txt'), 'utf8')).toBe('mine');
  });
});

function statOf(disk: Disk, encoding: LogEncoding): { revision: string } {
  const { ino, size, mtimeNs } = disk.statSync(path.join(FOLDER, NAMES[encoding]));
  return { revision: [ino, size, mtimeNs].map(String).join() };
}

/** Changes one byte of what is written last, and says nothing. */
function forgetful(file: DiskFile): DiskFile {
  return new Proxy(file, {
    get(target, name) {
      if (name === 'writeSync')
        return (buffer: Uint8Array, offset: number, length: number, position: number | null) => {
          const bytes = buffer.slice(offset, offset + length);
          bytes[length - 8]! ^= 1;
          return target.writeSync(bytes, 0, length, position);
        };
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

describe('refuses', () => {
  it('a log with a damaged frame, and leaves it', async () => {
    const disk = stored('zstd');
    const file = path.join(FOLDER, NAMES.zstd);
    const open = disk.openSync(file, 'readwrite');
    const { size } = open.statSync();
    const bytes = new Uint8Array(readSpanSync(open, 0, size));
    open.closeSync();
    bytes[size - 6]! ^= 0xff;
    disk.writeFile(file, bytes);
    await refused('session_invalid', convert(disk, 'raw'));
    expect(namesIn(disk)).toEqual([NAMES.zstd]);
  });

  it('a log whose last frame is not finished, and leaves it', async () => {
    const disk = stored('zstd');
    const half = compressFrame(encode(entry(40))).subarray(0, -3);
    const open = disk.openSync(path.join(FOLDER, NAMES.zstd), 'append');
    open.writeSync(half, 0, half.length, null);
    open.closeSync();
    await refused('session_invalid', convert(disk, 'raw'));
    expect(namesIn(disk)).toEqual([NAMES.zstd]);
  });

  it('a directory with both encodings, neither of which is known to be over', async () => {
    const disk = stored('raw');
    disk.writeFile(path.join(FOLDER, NAMES.zstd), compressFrame(encode(HEADER)));
    await refused('session_exists', convert(disk, 'zstd'));
    expect(namesIn(disk).sort()).toEqual([NAMES.raw, NAMES.zstd]);
  });

  it('logs of DeepSeek Harness', async () => {
    const disk = stored('raw', '{"type":"session","version":0,"id":"s1","createdAt":1767225600000,"cwd":"/work/app"}\n');
    await refused('unsupported', convert(disk, 'zstd'));
    expect(namesIn(disk)).toEqual([NAMES.raw]);
  });

  it.each<[string, string, ErrorCode]>([
    ['a session that is not there', '/root/--work-app--/s2', 'session_not_found'],
    ['a directory without a session', '/root', 'session_not_found'],
    ['a session that owns no directory', '/root/--work-app--/flat.jsonl', 'unsupported'],
    ['what is no session', '/root/--work-app--/s3', 'session_invalid'],
  ])('%s', async (_, at, code) => {
    const disk = stored('raw');
    disk.writeFile('/root/--work-app--/flat.jsonl', encode(LOG));
    disk.writeFile('/root/--work-app--/s3/session.jsonl', encode('hello\n'));
    await refused(code, convertSession(at, 'zstd', { storage: { disk } }));
  });
});

it('the mark of a conversion does not hide a log that is alone', () => {
  expect(logsAmong(['session.jsonl', '.session.jsonl.superseded'])).toEqual(['session.jsonl']);
  expect(logsAmong(['session.jsonl', 'session.jsonl.zstd', '.session.jsonl.superseded'])).toEqual(['session.jsonl.zstd']);
  expect(logsAmong(['session.jsonl', 'session.jsonl.zstd'])).toHaveLength(2);
});
