import { describe, expect, it } from 'vitest';

import { RecordDecoder, type LogRecord } from '../../src/logs/records.ts';
import type { Problem } from '../../src/problems.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function decoder(maxLineBytes?: number): { decoder: RecordDecoder; records: LogRecord[]; problems: Problem[] } {
  const records: LogRecord[] = [];
  const problems: Problem[] = [];
  const sink = { record: (record: LogRecord) => records.push(record), problem: (found: Problem) => problems.push(found) };
  return { decoder: new RecordDecoder(sink, maxLineBytes === undefined ? {} : { maxLineBytes }), records, problems };
}

const codes = (problems: readonly Problem[]): string[] => problems.map((found) => `${found.code}@${String(found.line)}`);

describe('lines over the limit', () => {
  const long = `{"type":"long","text":"${'x'.repeat(100)}"}`;

  it('are passed over, wherever chunks end', () => {
    for (const size of [1, 7, 50, 1000]) {
      const { decoder: d, records, problems } = decoder(64);
      const bytes = encode(`{"type":"a"}\n${long}\n{"type":"b"}\n`);
      for (let at = 0; at < bytes.length; at += size) d.push(bytes.subarray(at, at + size));
      expect(d.settle()).toBeNull();
      expect(records.map((record) => record.value['type'])).toEqual(['a', 'b']);
      expect(codes(problems)).toEqual(['line_too_long@2']);
      expect(problems[0]).toMatchObject({
        byteOffset: 13,
        message: `The line is ${String(long.length)} bytes long and was passed over.`,
      });
      expect(records[1]).toMatchObject({ line: 3, byteOffset: 13 + long.length + 1 });
    }
  });

  it('are named while they are the last line, and again only once they end', () => {
    const { decoder: d, records, problems } = decoder(64);
    d.push(encode(long));
    expect(d.settle()).toMatchObject({ code: 'line_too_long', line: 1 });
    expect(problems).toEqual([]);
    d.push(encode('\n{"type":"a"}\n'));
    expect(d.settle()).toBeNull();
    expect(codes(problems)).toEqual(['line_too_long@1']);
    expect(records).toHaveLength(1);
  });

  it('are those over the limit, not those at it', () => {
    const line = '{"type":"a"}';
    const { decoder: d, records, problems } = decoder(line.length);
    d.push(encode(`${line}\n${line} \n`));
    expect(records).toHaveLength(1);
    expect(codes(problems)).toEqual(['line_too_long@2']);
  });
});

describe('settling', () => {
  it('takes a complete last record, and the LF that comes later', () => {
    const { decoder: d, records, problems } = decoder();
    d.push(encode('{"type":"a"}'));
    expect(d.settle()).toBeNull();
    expect(records).toMatchObject([{ line: 1, byteOffset: 0, byteLength: 12, terminated: false }]);
    d.push(encode('\n{"type":"b"}\n'));
    expect(d.settle()).toBeNull();
    expect(records[1]).toMatchObject({ line: 2, byteOffset: 13, terminated: true });
    expect(problems).toEqual([]);
  });

  it('waits for the rest of a torn record', () => {
    const { decoder: d, records, problems } = decoder();
    d.push(encode('{"type":"a","text":"ha'));
    expect(d.settle()).toMatchObject({ code: 'torn_tail', line: 1, byteOffset: 0 });
    expect(d.settle()).toMatchObject({ code: 'torn_tail' });
    d.push(encode('lf"}\n'));
    expect(d.settle()).toBeNull();
    expect(records.map((record) => record.value['text'])).toEqual(['half']);
    expect(problems).toEqual([]);
  });

  it('takes a whole record that a torn one follows on the last line', () => {
    const { decoder: d, records, problems } = decoder();
    d.push(encode('{"type":"a"}{"type":"b","te'));
    expect(d.settle()).toBeNull();
    expect(records.map((record) => record.value['type'])).toEqual(['a']);
    expect(codes(problems)).toEqual(['glued_records@1']);
  });

  it('says nothing of a blank last line', () => {
    const { decoder: d } = decoder();
    d.push(encode('{"type":"a"}\n  \t'));
    expect(d.settle()).toBeNull();
  });

  it('starts where it is told to', () => {
    const records: LogRecord[] = [];
    const sink = { record: (record: LogRecord) => records.push(record), problem: () => undefined };
    const d = new RecordDecoder(sink, { start: { offset: 100, line: 7 } });
    d.push(encode('{"type":"a"}\n'));
    expect(records).toMatchObject([{ line: 7, byteOffset: 100 }]);
    expect(d.committed).toEqual({ offset: 113, line: 8 });
  });
});
