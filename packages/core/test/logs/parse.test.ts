import { describe, expect, it } from 'vitest';

import { parseJsonlLenient } from '../../src/pure.ts';

const bytesOf = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)));

/** Values, `code@line` of the problems, and a check that every span re-parses to its value. */
function read(source: string | Uint8Array): { values: unknown[]; problems: string[]; committed: number } {
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source;
  const { records, problems, committedLength } = parseJsonlLenient(source);
  for (const { value, byteOffset, byteLength } of records) {
    const slice = new TextDecoder().decode(bytes.subarray(byteOffset, byteOffset + byteLength));
    expect(JSON.parse(slice)).toEqual(value);
  }
  return {
    values: records.map((record) => record.value),
    problems: problems.map((found) => `${found.code}@${String(found.line)}`),
    committed: committedLength,
  };
}

describe('parseJsonlLenient', () => {
  const one = '{"type":"a","n":1}';
  const two = '{"type":"b","n":2}';
  const values = [JSON.parse(one), JSON.parse(two)] as unknown[];

  it.each([
    ['lines ended by LF', `${one}\n${two}\n`],
    ['lines ended by CRLF', `${one}\r\n${two}\r\n`],
    ['no LF at the end', `${one}\n${two}`],
    ['blank lines', `\n${one}\n\n \t\r\n${two}\n\n`],
    ['blanks around a record', `  ${one}\t \n\t${two}  \r\n`],
  ])('reads %s without a problem', (_, text) => {
    expect(read(text)).toMatchObject({ values, problems: [] });
  });

  it('takes off a byte order mark, whichever record it stands before', () => {
    expect(read(bytesOf([0xef, 0xbb, 0xbf], `${one}\n${two}\n`))).toMatchObject({ values, problems: ['byte_order_mark@1'] });
    expect(read(bytesOf([0xef, 0xbb, 0xbf], one))).toMatchObject({ values: [values[0]] });
  });

  it('names a line that is not JSON and reads the others', () => {
    expect(read(`${one}\nnot json\n${two}\n`)).toMatchObject({ values, problems: ['bad_json@2'] });
  });

  it.each(['42', '"text"', '[1]', 'null', 'true'])('names %s, which is JSON but no object', (line) => {
    expect(read(`${one}\n${line}\n${two}\n`)).toMatchObject({ values, problems: ['not_an_object@2'] });
  });

  it('names a last line that is cut off', () => {
    expect(read(`${one}\n${two}\n{"type":"c","n`)).toMatchObject({ values, problems: ['torn_tail@3'] });
  });

  it('tells NUL bytes at the end from a torn line', () => {
    expect(read(bytesOf(`${one}\n${two}\n`, [0, 0, 0, 0]))).toMatchObject({ values, problems: ['nul_bytes@3'] });
  });

  it('reads a record that NUL bytes stand before or behind', () => {
    const before = read(bytesOf(`${one}\n`, [0, 0, 0], `${two}\n`));
    expect(before.values).toEqual(values);
    expect(before.problems).toContain('nul_bytes@2');
    expect(read(bytesOf(one, [0, 0], `\n${two}\n`)).values).toEqual(values);
  });

  it('takes apart records that lost the LF between them', () => {
    expect(read(`${one}${two}\n`)).toMatchObject({ values, problems: ['glued_records@1'] });
    expect(read(`${one} ${two}`)).toMatchObject({ values, problems: ['glued_records@1'] });
  });

  it('reads a record that was appended to a torn one', () => {
    const torn = '{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":[{"type":"text","text":"tor';
    const whole = '{"type":"message","id":"b","parentId":null,"message":{"role":"user","content":[{"type":"text","text":"ok"}]}}';
    expect(read(`${torn}${whole}\n`)).toMatchObject({ values: [JSON.parse(whole)], problems: ['glued_records@1'] });
  });

  it('takes no content block of a damaged record for a record', () => {
    const text = '{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":[{"type":"text","text":"hi"}]}}';
    for (const damaged of [text.replace('"id":', '"id"'), text.slice(0, -1), text.slice(1), `${text.slice(0, -1)}]`]) {
      expect(read(`${one}\n${damaged}\n${two}\n`)).toMatchObject({ values, problems: ['bad_json@2'] });
    }
  });

  it('reads bytes that are not UTF-8 with replacement characters, and names them', () => {
    const line = bytesOf('{"type":"a","text":"x', [0xff], 'y"}\n', `${two}\n`);
    expect(read(line)).toEqual({
      values: [{ type: 'a', text: 'x\ufffdy' }, values[1]],
      problems: ['invalid_utf8@1'],
      committed: line.length,
    });
    expect(read('{"type":"a","text":"x\ufffdy"}\n').problems).toEqual([]);
  });

  it.each([
    ['a stray byte', [0xff]],
    ['a cut sequence of three', [0xe2, 0x82]],
    ['a cut sequence of four', [0xf0, 0x9f, 0x98]],
    ['a lead of a sequence that EF begins', [0xef]],
    ['a real replacement character', [0xef, 0xbf, 0xbd]],
    ['an emoji', [0xf0, 0x9f, 0x98, 0x80]],
  ])('finds the exact places of glued records behind %s', (_, odd) => {
    const { values: found } = read(bytesOf('{"type":"a","text":"', odd, '"}', two, '\n'));
    expect(found).toHaveLength(2);
    expect(found[1]).toEqual(values[1]);
  });

  it('does not split lines at U+2028, U+2029, NEL or escaped line ends', () => {
    const text = '{"type":"a","text":"1\u20282\u20293\u0085 4\\n5"}\n';
    expect(read(text)).toMatchObject({ values: [{ type: 'a', text: '1\u20282\u20293\u0085 4\n5' }], problems: [] });
  });

  it('keeps escaped lone surrogates', () => {
    expect(read('{"type":"a","text":"\\ud83d"}\n').values).toEqual([{ type: 'a', text: '\ud83d' }]);
  });

  it('counts bytes, not characters', () => {
    const text = '{"type":"a","text":"项目 😀"}\n';
    const { records } = parseJsonlLenient(`${text}${two}\n`);
    expect(records[1]).toMatchObject({ line: 2, byteOffset: new TextEncoder().encode(text).length, byteLength: two.length });
  });

  it('leaves the end of the line out of the span', () => {
    const { records } = parseJsonlLenient(`${one}  \r\n  ${two}\r\n`);
    expect(records).toMatchObject([
      { line: 1, byteOffset: 0, byteLength: one.length },
      { line: 2, byteOffset: one.length + 4, byteLength: two.length + 2 },
    ]);
  });

  it('answers the bytes up to the last LF as committed', () => {
    expect(read(`${one}\n`).committed).toBe(one.length + 1);
    expect(read(`${one}\n${two}`).committed).toBe(one.length + 1);
    expect(read(`${one}\n{"ty`).committed).toBe(one.length + 1);
    expect(read(one).committed).toBe(0);
    expect(read('')).toEqual({ values: [], problems: [], committed: 0 });
  });

  it('keeps fields that are called like those of every object', () => {
    const { values: found } = read('{"type":"a","__proto__":{"x":1},"constructor":2}\n');
    expect(Object.keys(found[0] as object)).toEqual(['type', '__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('takes apart a line of very many records', () => {
    expect(parseJsonlLenient(one.repeat(5000)).records).toHaveLength(5000);
  });

  it('reads nesting as deep as JSON.parse does', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const { records, problems } = parseJsonlLenient(`{"type":"a","deep":${deep}}\n${two}\n`);
    expect([records.length, problems.length]).toEqual([2, 0]);
  });
});
