import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { FrameError, nodeEngine, packagesEngine, type ZstdEngine } from '../../src/codec/zstd/engine.ts';
import { MAX_WINDOW_BYTES, nextMagic, scanFrame, scanFrameSteps, type FrameScan } from '../../src/codec/zstd/frames.ts';
import { FrameStream, salvageFrame } from '../../src/codec/zstd/stream.ts';
import { zstd } from '../../src/codec/zstd/zstd.ts';
import { MemoryDisk } from '../../src/index.ts';

const engines = [nodeEngine(), packagesEngine()].filter((engine) => engine !== null);
const encoder = new TextEncoder();
const line = (n: number, length = 40): string => `{"n":${String(n)},"text":"${'é·x'.repeat(length / 4)}${String(n * 7)}"}\n`;
const lines = (count: number, length = 40): Uint8Array =>
  encoder.encode(Array.from({ length: count }, (_, n) => line(n, length)).join(''));

function whole(scan: FrameScan): Extract<FrameScan, { kind: 'frame' }>['frame'] {
  if (scan.kind !== 'frame') throw new Error(JSON.stringify(scan));
  return scan.frame;
}

function joined(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

describe.each(engines)('engine $id', (engine: ZstdEngine) => {
  it.each([0, 1, 100, 255, 256, 65_000, 70_000, 400_000])('makes a frame of %i bytes that every engine decodes', (size) => {
    const content = lines(size / 40 + 1).subarray(0, size);
    const frame = engine.compress(content);
    const { length, header, mostBytes } = whole(scanFrame(frame, 0));
    expect([length, header.hasChecksum]).toEqual([frame.length, true]);
    expect(mostBytes).toBeGreaterThanOrEqual(size);
    for (const other of engines) expect(Buffer.compare(other.decompress(frame, mostBytes), content)).toBe(0);
  });

  it('refuses a frame with a changed byte, unless the byte does not matter', () => {
    const content = lines(20);
    const frame = engine.compress(content);
    const { mostBytes, header } = whole(scanFrame(frame, 0));
    let refused = 0;
    for (let at = header.length + 3; at < frame.length; at++) {
      const changed = new Uint8Array(frame);
      changed[at]! ^= 0x10;
      try {
        expect(Buffer.compare(engine.decompress(changed, mostBytes), content)).toBe(0);
      } catch (error) {
        expect(error).toBeInstanceOf(FrameError);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan((frame.length - header.length - 3) * 0.9);
  });

  it.each([0x01, 0xff])(
    'refuses a frame that states more content than it has, up to 2^56 times %i, without taking memory',
    (high) => {
      const frame = Uint8Array.from([
        0x28,
        0xb5,
        0x2f,
        0xfd,
        0xc0,
        0x58,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        high,
        1 | (3 << 3),
        0,
        0,
        65,
        66,
        67,
      ]);
      const { mostBytes } = whole(scanFrame(frame, 0));
      expect(mostBytes).toBe(3);
      expect(() => engine.decompress(frame, mostBytes)).toThrow(FrameError);
    },
  );

  it('never gives more than is allowed', () => {
    const frame = engine.compress(new Uint8Array(5_000_000));
    expect(frame.length).toBeLessThan(2_000);
    expect(() => engine.decompress(frame, 1_000)).toThrow(FrameError);
  });
});

describe('the structure of frames', () => {
  const content = lines(3_000, 400);
  const frame = engines[0]!.compress(content);
  const { header } = whole(scanFrame(frame, 0));

  it('is told from all its bytes only', () => {
    for (let cut = 0; cut < frame.length; cut += cut < 40 ? 1 : 997)
      expect(scanFrame(frame.subarray(0, cut), 0).kind).toBe('torn');
    expect(whole(scanFrame(joined(frame, frame), 0)).length).toBe(frame.length);
    expect(whole(scanFrame(joined(new Uint8Array(7), frame), 7)).length).toBe(frame.length);
  });

  it('is the same when it is read by the headers of blocks', () => {
    const steps = scanFrameSteps(0, frame.length);
    let read = 0;
    let step = steps.next();
    while (step.done !== true) {
      read += step.value.length;
      step = steps.next(frame.subarray(step.value.at, step.value.at + step.value.length));
    }
    expect(step.value).toEqual(scanFrame(frame, 0));
    expect(read).toBeLessThan(200);
  });

  it.each([
    ['another magic', [0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0]],
    ['reserved bits', [0x28, 0xb5, 0x2f, 0xfd, 0x18, 0, 0, 0]],
    ['a reserved block', [0x28, 0xb5, 0x2f, 0xfd, 0x20, 1, 7, 0, 0]],
    ['a dictionary', [0x28, 0xb5, 0x2f, 0xfd, 0x21, 9, 1, 1, 0, 0]],
  ])('%s is no frame', (_name, bytes) => {
    expect(scanFrame(Uint8Array.from(bytes), 0).kind).toBe('bad');
  });

  it('tells the window that it asks for', () => {
    const bytes = Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 1, 0, 0]);
    expect(whole(scanFrame(bytes, 0)).header.windowBytes).toBeGreaterThan(MAX_WINDOW_BYTES);
  });

  it('is looked for by its magic', () => {
    expect(nextMagic(joined(Uint8Array.from([0x28, 0x28, 0xb5]), frame), 0)).toBe(3);
    expect(nextMagic(Uint8Array.from([0x28, 0xb5, 0x2f]), 0)).toBe(-1);
  });

  it('decodes in pieces of any size to the same, and what is there of a frame to its beginning', () => {
    for (const step of [1_000, 4_096, frame.length]) {
      const stream = new FrameStream({ hasChecksum: true, windowBytes: header.windowBytes });
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < frame.length; at += step) pieces.push(...stream.push(frame.subarray(at, at + step)));
      expect([Buffer.compare(joined(...pieces), content), stream.isRight()]).toEqual([0, true]);
    }
    for (const cut of [3, 9, 100, frame.length >> 1, frame.length - 1]) {
      const saved = salvageFrame(frame.subarray(0, cut), content.length);
      expect(Buffer.compare(saved, content.subarray(0, saved.length))).toBe(0);
    }
    expect(salvageFrame(frame.subarray(0, frame.length - 1), content.length).length).toBe(content.length);
  });
});

/** Text that hardly compresses. */
function noise(length: number): string {
  const words: string[] = [];
  let seed = 1;
  for (let n = 0; n < length; n += 8)
    words.push((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0).toString(16).padStart(8, '0'));
  return `${words.join('')}\n`;
}

const HEADER = '{"type":"session"}\n';

function logOf(batches: readonly string[]): { stored: Uint8Array; frames: Uint8Array[]; decoded: string } {
  const frames = [HEADER, ...batches].map((batch) => engines[0]!.compress(encoder.encode(batch)));
  return { stored: joined(...frames), frames, decoded: HEADER + batches.join('') };
}

async function opened(
  stored: Uint8Array,
): Promise<{ text: string; codes: string[]; read: (from: number, length: number) => Promise<string> }> {
  const disk = new MemoryDisk();
  disk.mkdirSync('/d');
  const file = disk.openSync('/d/s', 'create');
  file.writeSync(stored, 0, stored.length, 0);
  const bytes = zstd.open();
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes.chunks(file, stored.length)) pieces.push(new Uint8Array(piece));
  return {
    text: Buffer.concat(pieces).toString(),
    codes: bytes.problems.map(({ code }) => code),
    read: async (from, length) => Buffer.from(await bytes.read(file, from, length)).toString(),
  };
}

describe('logs of frames', () => {
  const batches = Array.from({ length: 30 }, (_, n) => line(n) + line(n + 100));
  const { stored, frames, decoded } = logOf(batches);
  const starts = frames.map((_, n) => frames.slice(0, n).reduce((sum, { length }) => sum + length, 0));

  it('are their decoded bytes, and any span of them', async () => {
    const { text, codes, read } = await opened(stored);
    expect([text, codes]).toEqual([decoded, []]);
    const bytes = Buffer.from(decoded);
    for (const [from, length] of [
      [0, 5],
      [10, 500],
      [bytes.length - 9, 50],
      [0, bytes.length],
      [bytes.length, 4],
    ] as const) {
      expect(await read(from, length)).toBe(bytes.subarray(from, from + length).toString());
    }
  });

  it('a frame that is damaged costs its lines, wherever it is', async () => {
    for (const n of [0, 1, 7, frames.length - 1]) {
      const damaged = new Uint8Array(stored);
      damaged[starts[n]! + frames[n]!.length - 2]! ^= 1;
      const { text, codes, read } = await opened(damaged);
      const kept = [HEADER, ...batches].filter((_, i) => i !== n).join('');
      expect([n, text, codes]).toEqual([n, kept, ['frame_damaged']]);
      expect(await read(0, 10_000)).toBe(text);
    }
  });

  it('what is no frame is passed over up to the next one', async () => {
    const garbage = encoder.encode(`${'garbage '.repeat(40)}\u0028µ/ý`);
    const { text, codes } = await opened(joined(...frames.slice(0, 5), garbage, ...frames.slice(5)));
    expect([text, codes]).toEqual([decoded, ['frame_damaged']]);
  });

  it('lines on both sides of a lost frame do not run together', async () => {
    const parts = [HEADER, '{"half":', line(1), '"rest"}\n'].map((part) => engines[0]!.compress(encoder.encode(part)));
    parts[2]![parts[2]!.length - 1]! ^= 1;
    expect((await opened(joined(...parts))).text).toBe(`${HEADER}{"half":\n"rest"}\n`);
  });

  it('any of their beginnings gives a beginning of their lines, and says that it is torn', async () => {
    for (let cut = 1; cut < stored.length; cut += 13) {
      const { text, codes } = await opened(stored.subarray(0, cut));
      expect(decoded.startsWith(text)).toBe(true);
      expect(codes).toEqual(starts.includes(cut) ? [] : ['frame_torn']);
    }
  });

  it('of a torn frame that only lacks the end of its checksum all lines are had', async () => {
    expect(await opened(stored.subarray(0, stored.length - 1))).toMatchObject({ text: decoded, codes: ['frame_torn'] });
  });

  it.each([
    ['compresses well', (): Uint8Array => lines(30_000, 400)],
    ['is longer than what is read together', (): Uint8Array => encoder.encode(noise(10_000_000))],
  ])('a frame that decodes to much, and %s, is decoded in pieces, and read by spans', async (_name, make) => {
    const large = make();
    const log = joined(
      engines[0]!.compress(encoder.encode(HEADER)),
      engines[0]!.compress(large),
      engines[0]!.compress(encoder.encode(line(5))),
    );
    const { text, codes, read } = await opened(log);
    const expected = Buffer.concat([Buffer.from(HEADER), large, Buffer.from(line(5))]);
    expect([text === expected.toString(), codes]).toEqual([true, []]);
    for (const from of [0, 1_000_000, large.length - 10, expected.length - 20]) {
      expect(await read(from, 60)).toBe(expected.subarray(from, from + 60).toString());
    }
  });

  it('grow: what is finished later goes on where it was', async () => {
    const disk = new MemoryDisk();
    disk.mkdirSync('/d');
    const file = disk.openSync('/d/s', 'create');
    file.writeSync(stored, 0, stored.length, 0);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(stored.length), { maxLength: 6 }), async (cuts) => {
        const pieces: Uint8Array[] = [];
        let bytes = zstd.open();
        for (const to of [...cuts.sort((a, b) => a - b), stored.length]) {
          expect(await bytes.goesOn(file, to)).toBe(true);
          for await (const piece of bytes.chunks(file, to)) pieces.push(new Uint8Array(piece));
          bytes = zstd.open(structuredClone(bytes.state().data));
        }
        expect([Buffer.concat(pieces).toString(), bytes.problems]).toEqual([decoded, []]);
      }),
      { numRuns: 60 },
    );
  });

  it('any damage leaves the rest, and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(stored.length - 1), fc.nat(255), fc.nat(40), async (at, byte, length) => {
        const damaged = new Uint8Array(stored);
        damaged.fill(byte, at, at + length);
        const { text, codes } = await opened(damaged);
        const changed = Buffer.compare(damaged, stored) !== 0;
        if (!changed) expect([text, codes]).toEqual([decoded, []]);
        const all = new Set(decoded.split('\n'));
        const intact = frames.filter((_, n) => starts[n]! + frames[n]!.length <= at).length;
        expect(text.split('\n').filter((each) => all.has(each)).length).toBeGreaterThanOrEqual(intact);
      }),
      { numRuns: 200 },
    );
  });

  it('the ends of a large one are had without the rest', async () => {
    const many = logOf(Array.from({ length: 3_000 }, (_, n) => line(n, 80) + line(n * 3, 200)));
    const disk = new MemoryDisk();
    disk.mkdirSync('/d');
    const file = disk.openSync('/d/s', 'create');
    file.writeSync(many.stored, 0, many.stored.length, 0);
    const head = Buffer.from(await zstd.head(file, many.stored.length, 8_000)).toString();
    expect([head.length > 4_000, many.decoded.startsWith(head)]).toEqual([true, true]);
    const tail = await zstd.tail(file, many.stored.length, 8_000);
    const text = Buffer.from(tail.bytes).toString();
    expect([tail.whole, text[0], many.decoded.endsWith(text.slice(1)), tail.bytes.length >= 8_000]).toEqual([
      false,
      '\n',
      true,
      true,
    ]);
    const small = await zstd.tail(file, starts[1]!, 8_000);
    expect(small.whole).toBe(true);
  });
});
