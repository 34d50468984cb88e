import { createHash } from 'node:crypto';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compressFrame } from '../../src/codec/zstd/engine.ts';
import { FaultDisk } from '../../src/disk/fault-disk.ts';
import type { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { loadEntriesFromFile, readSession } from '../../src/store/load.ts';
import { openRoot } from '../../src/store/roots.ts';
import type { SessionReader } from '../../src/store/reader.ts';
import { session } from '../../src/testing/index.ts';
import { columnsOf, decode } from '../support/decode.ts';
import { memoryWith, onlySession, put, readerOf, temporaryFolder, writeFiles } from './node-fixture.ts';

const AT = '/sessions/one.jsonl.zstd';
const encoder = new TextEncoder();

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

const frameOf = (text: string): Uint8Array => compressFrame(encoder.encode(text));

const build = session();
for (let n = 0; n < 12; n++) build.user(`question ${String(n)} ${'é'.repeat(30)}`).assistant(`answer ${String(n * 37)}`);
const lines = build.lines().map((each) => `${each}\n`);
/** The header, then pairs of lines. */
const batches = [lines[0]!, ...Array.from({ length: 12 }, (_, n) => lines[2 * n + 1]! + lines[2 * n + 2]!)];
const frames = batches.map(frameOf);
const text = batches.join('');
const stored = joined(...frames);
const ends = frames.map((_, n) => joined(...frames.slice(0, n + 1)).length);

function diskWith(bytes: Uint8Array): MemoryDisk {
  return memoryWith(bytes, AT);
}

function append(disk: MemoryDisk, bytes: Uint8Array): void {
  const file = disk.openSync(AT, 'append');
  file.writeSync(bytes, 0, bytes.length, null);
  file.closeSync();
}

const codes = (reader: SessionReader): string[] => reader.problems.map(({ code }) => code);

describe('a reader of a compressed session', () => {
  it('answers as one of the same lines that are not compressed', async () => {
    const reader = await readerOf(diskWith(stored));
    const plain = await readerOf(memoryWith(text));
    expect([reader.header, reader.problems, reader.complete]).toEqual([plain.header, [], true]);
    expect(columnsOf(reader.outline)).toEqual(columnsOf(plain.outline));
    const rows = [23, 0, 7, 7];
    expect(await reader.load(rows)).toEqual(await plain.load(rows));
    expect(Buffer.from(await reader.loadRaw(5)).toString()).toBe(lines[6]!.trimEnd());
    expect(Buffer.from(await reader.loadBytes(3, 700)).toString()).toBe(Buffer.from(await plain.loadBytes(3, 700)).toString());
    expect((await reader.loadBytes(encoder.encode(text).length - 4, 1e9)).length).toBe(4);
  });

  it('42: stops at a frame when it is told to, and says that it was stopped', async () => {
    const stop = new AbortController();
    let reads = 0;
    const many = joined(...Array.from({ length: 40_000 }, (_, n) => (n === 0 ? frames[0]! : frames[1 + (n % 12)]!)));
    const disk = new FaultDisk(diskWith(many), (operation) => {
      if (operation === 'read' && ++reads === 3) stop.abort();
      return null;
    });
    const { sessions } = await (await openRoot({ path: '/sessions' }, disk)).scan();
    reads = 0;
    const reader = (await openRoot({ path: '/sessions' }, disk)).openReader(sessions[0]!, { signal: stop.signal });
    await expect(reader.ready).rejects.toMatchObject({ code: 'cancelled' });
    expect(reader.progress.bytes).toBeLessThan(many.length);
  });

  it('says its progress in stored bytes', async () => {
    const reader = await readerOf(diskWith(stored));
    expect(reader.progress).toEqual({ bytes: stored.length, totalBytes: stored.length });
  });

  it('follows the file frame by frame: only what is new is decoded, and rows and epoch stay', async () => {
    const disk = diskWith(stored.subarray(0, ends[4]));
    const reader = await readerOf(disk);
    const { epoch } = reader;
    expect(reader.outline.rowCount).toBe(8);
    append(disk, stored.subarray(ends[4]));
    expect([await reader.refresh(), reader.outline.rowCount, reader.epoch, await reader.refresh()]).toEqual([
      'appended',
      24,
      epoch,
      'same',
    ]);
    expect(columnsOf(reader.outline)).toEqual(columnsOf(decode(text).outline));
    const byLine = await readerOf(memoryWith(text));
    expect(await reader.load([0, 23])).toEqual(await byLine.load([0, 23]));
  });

  it('shows the complete lines of a frame that is not finished, and goes on when it is', async () => {
    // Stored as they are: what there is of the frame can be decoded to its last byte.
    const bytes = encoder.encode(lines[1]! + lines[2]!);
    const block = (1 | (bytes.length << 3)) >>> 0;
    const header = [0x28, 0xb5, 0x2f, 0xfd, 0x60, (bytes.length - 256) & 255, (bytes.length - 256) >> 8];
    const frame = joined(Uint8Array.from([...header, block & 255, (block >> 8) & 255, block >> 16]), bytes);
    const whole = joined(frames[0]!, frame);
    const reader = await readerOf(diskWith(whole));
    expect([reader.outline.rowCount, codes(reader)]).toEqual([2, []]);
    reader.close();

    for (let cut = 1; cut < frame.length; cut += 7) {
      const disk = diskWith(whole.subarray(0, frames[0]!.length + cut));
      const torn = await readerOf(disk);
      expect(codes(torn)).toContain('frame_torn');
      const before = torn.outline.rowCount;
      append(disk, whole.subarray(frames[0]!.length + cut));
      expect(['appended', 'rewritten']).toContain(await torn.refresh());
      expect([torn.outline.rowCount, codes(torn), before <= 2]).toEqual([2, [], true]);
      torn.close();
    }
  });

  it('of a frame that lacks one byte of its checksum all lines are there, before and after it comes', async () => {
    const disk = diskWith(stored.subarray(0, stored.length - 1));
    const reader = await readerOf(disk);
    const { epoch } = reader;
    expect([reader.outline.rowCount, codes(reader)]).toEqual([24, ['frame_torn']]);
    append(disk, stored.subarray(stored.length - 1));
    await reader.refresh();
    expect([reader.outline.rowCount, codes(reader), reader.epoch]).toEqual([24, [], epoch]);
  });

  it('notices a file that was rewritten at its place', async () => {
    const disk = diskWith(stored);
    const reader = await readerOf(disk);
    const { epoch } = reader;
    const other = session({ cwd: '/home/ben/other' }).user('something else').text();
    put(disk, joined(frameOf(other), ...frames.slice(1), ...frames.slice(1)), AT);
    expect(await reader.refresh()).toBe('rewritten');
    expect([reader.header?.cwd, reader.epoch === epoch]).toEqual(['/home/ben/other', false]);
  });

  it('keeps what is before and after a damaged frame', async () => {
    const damaged = stored.slice();
    damaged[ends[6]! - 1]! ^= 1;
    const reader = await readerOf(diskWith(damaged));
    expect(reader.outline.rowCount).toBe(22);
    expect(codes(reader).filter((code) => code === 'frame_damaged')).toHaveLength(1);
    expect((await reader.load([21]))[0]).toMatchObject({ type: 'message' });
  });

  it('in any steps of growth ends with the same rows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: stored.length - 1 }), { minLength: 1, maxLength: 5 }), async (cuts) => {
        const steps = [...cuts.sort((a, b) => a - b), stored.length];
        const disk = diskWith(stored.subarray(0, steps[0]));
        const { root, file } = await onlySession(disk);
        const reader = root.openReader(file);
        await reader.ready;
        for (const [n, to] of steps.slice(1).entries()) {
          append(disk, stored.subarray(steps[n], to));
          await reader.refresh();
        }
        expect([columnsOf(reader.outline), codes(reader)]).toEqual([columnsOf(decode(text).outline), []]);
        reader.close();
      }),
      { numRuns: 40 },
    );
  });
});

describe('a compressed session read at once', () => {
  it('gives what the lines give, and is not changed', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'a.jsonl': text, 'b.jsonl.zstd': stored, 'c.jsonl.zstd': stored.subarray(0, stored.length - 1) });
    const [a, b, c] = ['a.jsonl', 'b.jsonl.zstd', 'c.jsonl.zstd'].map((name) => path.join(folder, name)) as [
      string,
      string,
      string,
    ];
    expect(await readSession(b)).toEqual(await readSession(a));
    expect(loadEntriesFromFile(b)).toEqual(loadEntriesFromFile(a));
    expect(loadEntriesFromFile(b)).toHaveLength(25);
    expect(loadEntriesFromFile(c)).toEqual(loadEntriesFromFile(a));
    expect((await readSession(c)).problems.map(({ code }) => code)).toEqual(['frame_torn']);
  });
});

describe('hostile compressed sessions', () => {
  const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
  /** A frame of blocks that are one byte each, repeated. */
  const bombOf = (blocks: number, size: number, windowByte = 0x58): Uint8Array => {
    const bytes = new Uint8Array(6 + 4 * blocks);
    bytes.set([...MAGIC, 0, windowByte]);
    for (let n = 0; n < blocks; n++) {
      const head = (n === blocks - 1 ? 1 : 0) | 2 | (size << 3);
      bytes.set([head & 255, (head >> 8) & 255, head >> 16, 0x20], 6 + 4 * n);
    }
    return bytes;
  };

  it.each([
    ['one frame that decodes to 32 GB', bombOf(250_000, 128 * 1024)],
    ['blocks that are larger than blocks can be', bombOf(10_000, 2 * 1024 * 1024 - 1)],
    ['a window of terabytes', bombOf(100, 1024, 0xff)],
    ['very many small frames that decode to much', joined(...Array.from({ length: 4_000 }, () => bombOf(60, 128 * 1024)))],
  ])('%s: what is before and after it is read', { timeout: 60_000 }, async (_name, bomb) => {
    const reader = await readerOf(diskWith(joined(...frames, bomb, frameOf('\n'), ...frames.slice(1))));
    expect(codes(reader)).toContain('frame_damaged');
    expect(reader.outline.rowCount).toBe(48);
    expect((await reader.load([0, 23, 47])).length).toBe(3);
    reader.close();
  });

  it('random bytes behind a magic never throw', async () => {
    for (let n = 0; n < 200; n++) {
      const noise = new Uint8Array(200);
      for (let at = 0; at < 200; at += 32)
        noise.set(
          createHash('sha256')
            .update(`${String(n)} ${String(at)}`)
            .digest()
            .subarray(0, Math.min(32, 200 - at)),
          at,
        );
      const reader = await readerOf(diskWith(joined(frames[0]!, Uint8Array.from(MAGIC), noise, ...frames.slice(1))));
      expect(reader.problems.length).toBeGreaterThan(0);
      reader.close();
    }
  });
});
