import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseJsonlLenient, SessionDecoder } from '../../src/pure.ts';
import { RecordDecoder, type LogRecord } from '../../src/logs/records.ts';
import { nodeDecodeUtf8 } from '../../src/store/bodies.ts';
import type { Problem } from '../../src/problems.ts';
import { session } from '../../src/testing/index.ts';
import { columnsOf, decode, describeDecoder } from '../support/decode.ts';

/** Pieces that hit every branch of the decoder when they are put together at random. */
const piece = fc.oneof(
  fc.constantFrom(
    '{"type":"a","id":"x","parentId":null}',
    '{"type":"session","id":"s","version":3}',
    '{"n":',
    '}',
    '"',
    '\\',
    '42',
    'null',
  ),
  fc.constantFrom(
    '\n',
    '\n',
    '\r\n',
    ' ',
    '\0',
    '\ufeff',
    '{"type":"message","message":{"role":"user","content":"项目 😀"}}',
    '{"t":"\u2028"}',
  ),
  fc.string({ maxLength: 6 }),
);
const odd = fc.uint8Array({ maxLength: 4 });
const bytes = fc
  .array(fc.oneof({ weight: 6, arbitrary: piece }, { weight: 1, arbitrary: odd }), { maxLength: 30 })
  .map((parts) => Uint8Array.from(Buffer.concat(parts.map((part) => Buffer.from(part as string)))));

function cut(source: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map((place) => place % (source.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, i) => source.subarray(from, at[i] ?? source.length));
}

describe('any bytes', () => {
  it('give the same records and problems, however they are chunked', () => {
    fc.assert(
      fc.property(
        bytes,
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.integer({ min: 8, max: 200 }),
        (source, places, maxLineBytes) => {
          const read = (chunks: Uint8Array[]): unknown => {
            const records: LogRecord[] = [];
            const problems: Problem[] = [];
            const sink = {
              record: (record: LogRecord) => records.push(record),
              problem: (found: Problem) => problems.push(found),
            };
            const decoder = new RecordDecoder(sink, { maxLineBytes });
            for (const chunk of chunks) {
              // What a decoder keeps of a chunk must not be the chunk: readers use the buffer again.
              const own = chunk.slice();
              decoder.push(own);
              own.fill(63);
            }
            const tail = decoder.settle();
            return { records, problems, tail, committed: decoder.committed };
          };
          expect(read(cut(source, places))).toEqual(read([source]));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never throw, and every span holds its record', () => {
    fc.assert(
      fc.property(fc.oneof(bytes, fc.uint8Array({ maxLength: 60 })), (source) => {
        const { records } = parseJsonlLenient(source);
        for (const { value, byteOffset, byteLength } of records) {
          const slice = source.subarray(byteOffset, byteOffset + byteLength);
          expect(JSON.parse(new TextDecoder().decode(slice))).toEqual(value);
        }
        decode(source);
      }),
      { numRuns: 500 },
    );
  });

  it("read the same with the platform's decoder", () => {
    fc.assert(
      fc.property(bytes, (source) => {
        const decoder = new SessionDecoder({ decode: nodeDecodeUtf8 });
        decoder.push(source);
        decoder.settle();
        expect(columnsOf(decoder.outline)).toEqual(columnsOf(decode(source).outline));
      }),
    );
  });
});

const name = fc.integer({ min: 0, max: 9 }).map((n) => `n${String(n)}`);
const line = fc.oneof(
  { weight: 8, arbitrary: fc.record({ id: name, parentId: fc.option(name) }) },
  { weight: 1, arbitrary: fc.constantFrom('not json', '', '[]', '{"no":"type"}', '{"type":"session","id":"again"}') },
);

/** A file with forward references, repeated ids, circles and bad lines. */
const files = fc.array(line, { minLength: 1, maxLength: 14 }).map((lines) => {
  const build = session();
  for (const each of lines) {
    if (typeof each === 'string') build.raw(each);
    else build.message('user', { ...each, content: 'x' });
  }
  return build;
});

describe('a file that grows', () => {
  it('reads as if it had always been whole, wherever it was settled', () => {
    fc.assert(
      fc.property(files, fc.array(fc.nat(), { maxLength: 6 }), (build, places) => {
        const lines = build.lines().map((each) => `${each}\n`);
        const ends = lines.map((_, i) => Buffer.byteLength(lines.slice(0, i + 1).join('')));
        const source = build.bytes();
        const decoder = new SessionDecoder();
        for (const chunk of cut(source, places)) {
          // Also in the middle of lines; a whole record is taken before its LF has come.
          decoder.push(chunk);
          decoder.settle();
        }
        const whole = decode(source);
        const grown = describeDecoder(decoder);
        expect(columnsOf(grown.outline)).toEqual(columnsOf(whole.outline));
        expect([...grown.problems].sort()).toEqual([...whole.problems].sort());
        expect(decoder.committedOffset).toBe(ends.at(-1));
      }),
      { numRuns: 500 },
    );
  });

  it('says so whenever a row that was settled has another parent now', () => {
    fc.assert(
      fc.property(files, (build) => {
        const decoder = new SessionDecoder();
        let before: number[] = [];
        for (const each of build.lines()) {
          decoder.push(new TextEncoder().encode(`${each}\n`));
          const { changed } = decoder.settle();
          const now = [...decoder.outline.parents()];
          if (before.length > 0 && before.some((parent, row) => parent !== now[row])) expect(changed).toBe(true);
          before = now;
        }
      }),
      { numRuns: 500 },
    );
  });
});
