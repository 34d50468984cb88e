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
      expect(d.settle()).toEqual([]);
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
    expect(d.settle()).toMatchObject([{ code: 'line_too_long', line: 1 }]);
    expect(problems).toEqual([]);
    d.push(encode('\n{"type":"a"}\n'));
    expect(d.settle()).toEqual([]);
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
    expect(d.settle()).toEqual([]);
    expect(records).toMatchObject([{ line: 1, byteOffset: 0, byteLength: 12, terminated: false }]);
    d.push(encode('\n{"type":"b"}\n'));
    expect(d.settle()).toEqual([]);
    expect(records[1]).toMatchObject({ line: 2, byteOffset: 13, terminated: true });
    expect(problems).toEqual([]);
  });

  it('waits for the rest of a torn record', () => {
    const { decoder: d, records, problems } = decoder();
    d.push(encode('{"type":"a","text":"ha'));
    expect(d.settle()).toMatchObject([{ code: 'torn_tail', line: 1, byteOffset: 0 }]);
    expect(d.settle()).toMatchObject([{ code: 'torn_tail' }]);
    d.push(encode('lf"}\n'));
    expect(d.settle()).toEqual([]);
    expect(records.map((record) => record.value['text'])).toEqual(['half']);
    expect(problems).toEqual([]);
  });

  it('takes a whole record that a torn one follows on the last line', () => {
    const { decoder: d, records, problems } = decoder();
    d.push(encode('{"type":"a"}{"type":"b","te'));
    expect(d.settle()).toEqual([]);
    expect(records.map((record) => record.value['type'])).toEqual(['a']);
    expect(codes(problems)).toEqual(['glued_records@1']);
  });

  it('says nothing of a blank last line', () => {
    const { decoder: d } = decoder();
    d.push(encode('{"type":"a"}\n  \t'));
    expect(d.settle()).toEqual([]);
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

describe('a record that raw line feeds break', () => {
  const record = { type: 'message', id: 'a', parentId: null, message: { role: 'user', content: 'one\ntwo\n\nthree' } };
  const broken = JSON.stringify(record).replaceAll('\\n', '\n');

  it('is read as it was meant, and its lines are named once', () => {
    const { decoder: d, records, problems } = decoder();
    d.push(encode(`{"type":"x"}\n${broken}\n{"type":"y"}\n`));
    expect(d.settle()).toEqual([]);
    expect(records.map(({ value }) => value['type'])).toEqual(['x', 'message', 'y']);
    expect(records[1]).toMatchObject({ value: record, line: 2, byteOffset: 13, byteLength: broken.length });
    expect(records[2]).toMatchObject({ line: 6, byteOffset: 13 + broken.length + 1 });
    expect(codes(problems)).toEqual(['split_record@2']);
  });

  it('may be the last one, without an LF', () => {
    const { decoder: d, records, problems } = decoder();
    d.push(encode(broken));
    expect(d.settle()).toEqual([]);
    expect(records).toHaveLength(1);
    expect(codes(problems)).toEqual(['split_record@1']);
  });

  it('is told apart from lines that are not JSON', () => {
    const { decoder: d, records, problems } = decoder();
    d.push(encode('oh\nno\n{"type":"a"}\nwhy\n'));
    expect(codes(d.settle())).toEqual([]);
    expect(records).toHaveLength(1);
    expect(codes(problems)).toEqual(['bad_json@1', 'bad_json@2', 'bad_json@4']);
  });

  it('is not looked for over many lines', () => {
    const { decoder: d, problems } = decoder();
    d.push(encode('bad\n'.repeat(100)));
    expect([...problems, ...d.settle()]).toHaveLength(100);
  });
});
