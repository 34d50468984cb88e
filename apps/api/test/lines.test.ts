import { describe, expect, it } from 'vitest';

import { LineAnswer, SessionDetail } from '../src/schemas/index.ts';
import { buildTestApp, type TestApp } from './build-test-app.ts';
import { header, label, text, user } from './session-text.ts';

const LIMIT = 64 * 1024;

async function open(content: string | Uint8Array): Promise<TestApp & { base: string; line(at: number): Promise<LineAnswer> }> {
  const test = await buildTestApp({ files: { 'sessions/w/a.jsonl': content } });
  const base = `/api/sessions/${test.key('s1')}`;
  return { ...test, base, line: (at) => test.answer(LineAnswer, `${base}/lines/${at}`) };
}

const HEAD = text(header('s1'));
const A = text(user('a', null, 'x'));
const B = text(user('b', 'a', 'y'));

describe('every problem of a session', () => {
  it.each([
    ['a line that is no JSON', HEAD + A + '{"broken\n' + B, [['bad_json', 0, 'after']]],
    ['a torn tail', HEAD + A + B + '{"type":"mess', [['torn_tail', 1, 'after']]],
    ['NUL bytes', HEAD + A + '\0'.repeat(512) + '\n' + B, [['nul_bytes', 0, 'after']]],
    ['NUL bytes at the end', HEAD + A + '\0'.repeat(512), [['nul_bytes', 0, 'after']]],
    ['a list', HEAD + '[1,2]\n' + A, [['not_an_object', 0, 'before']]],
    ['a byte order mark', '\ufeff' + HEAD + A, [['byte_order_mark', 0, 'before']]],
    ['a second header', HEAD + A + HEAD + B, [['header_repeated', 0, 'after']]],
    ['a split record', HEAD + A + B.replace('"y"', '"y\ny"'), [['split_record', 1, 'in']]],
    ['a missing id', HEAD + A + B.replace('"id":"b"', '"id":7'), [['missing_id', 1, 'in']]],
    ['an orphan', HEAD + A + B.replace('"parentId":"a"', '"parentId":"z"'), [['missing_parent', 1, 'in']]],
    ['a label on nothing', HEAD + A + text(label('l', 'a', 'gone', 'L')), [['label_target_missing', 1, 'in']]],
    ['the same id twice', HEAD + A + B + A, [['duplicate_id', 2, 'in']]],
  ])('leads to an entry: %s', async (_, content, expected) => {
    const { answer, base } = await open(content);
    const { problems } = await answer(SessionDetail, base);
    expect(problems.map(({ code, near }) => [code, near?.row, near?.how])).toEqual(expected);
  });

  it('has none to lead to in a session without entries', async () => {
    const { answer, base } = await open(`${HEAD}{"broken\n`);
    expect((await answer(SessionDetail, base)).problems).toMatchObject([{ code: 'bad_json', near: null }]);
  });
});

describe('GET …/lines/:at', () => {
  it('answers the bytes of the line that holds a byte, each as one character', async () => {
    const bad = Buffer.concat([Buffer.from('{"é":"'), Buffer.from([0xff, 0x00, 0x80]), Buffer.from('"oops')]);
    const { line, get, base } = await open(Buffer.concat([Buffer.from(HEAD + A), bad, Buffer.from(`\n${B}`)]));
    const start = Buffer.byteLength(HEAD + A);
    const whole = { byteOffset: start, byteLength: bad.length, octets: bad.toString('latin1'), startsLine: true, endsLine: true };
    for (const at of [start, start + 7, start + bad.length - 1, start + bad.length]) expect(await line(at)).toMatchObject(whole);
    expect(await line(0)).toMatchObject({ byteOffset: 0, octets: HEAD.trimEnd() });

    const raw = await get(`${base}/lines/${start}?raw=1`);
    expect(raw.rawPayload.equals(bad)).toBe(true);
    expect(raw.headers['content-type']).toBe('application/octet-stream');
    expect(raw.headers['content-disposition']).toMatch(/^attachment; filename="[a-z0-9.-]+"$/);
    expect(raw.headers['content-security-policy']).toContain('sandbox');
  });

  it('answers a tail without its end, and the lines of a split record together', async () => {
    const split = B.replace('"y"', '"y\ny"');
    const { line } = await open(`${HEAD}${A}${split}{"torn`);
    const start = Buffer.byteLength(HEAD + A);
    expect((await line(start)).octets).toBe(split.trimEnd());
    expect(await line(start + split.length)).toMatchObject({ octets: '{"torn', startsLine: true, endsLine: true });
  });

  it('answers at most 64 KB, cut between characters, and says where it was cut', async () => {
    const long = `{"broken${'悬'.repeat(100_000)}`;
    const { line } = await open(`${HEAD}${A}${long}\n${B}`);
    const start = Buffer.byteLength(HEAD + A);
    const first = await line(start);
    expect(first).toMatchObject({ byteOffset: start, startsLine: true, endsLine: false });
    const inside = await line(start + 150_001);
    expect(inside).toMatchObject({ startsLine: false, endsLine: false });
    const last = await line(start + Buffer.byteLength(long) - 3);
    expect(last).toMatchObject({ startsLine: false, endsLine: true });
    for (const { octets, byteLength, byteOffset } of [first, inside, last]) {
      expect(byteLength).toBe(octets.length);
      expect(byteLength).toBeLessThanOrEqual(LIMIT);
      expect(Buffer.from(octets, 'latin1').toString()).not.toContain('\ufffd');
      expect(byteOffset).toBeGreaterThanOrEqual(start);
    }
    expect(inside.byteOffset).toBeLessThanOrEqual(start + 150_001);
    expect(inside.byteOffset + inside.byteLength).toBeGreaterThan(start + 150_001);
  });

  it('answers the middle of a run of NUL bytes that never ends', async () => {
    const { line } = await open(Buffer.concat([Buffer.from(HEAD + A), Buffer.alloc(1_000_000)]));
    expect(await line(500_000)).toMatchObject({
      byteLength: LIMIT,
      octets: '\0'.repeat(LIMIT),
      startsLine: false,
      endsLine: false,
    });
  });

  it('takes numbers of bytes that are there, and nothing else', async () => {
    const { get, base } = await open(HEAD + A);
    for (const [at, status, code] of [
      [Buffer.byteLength(HEAD + A), 404, 'not_found'],
      ['9007199254740991', 404, 'not_found'],
      ['-1', 400, 'invalid_query'],
      ['x', 400, 'invalid_query'],
      ['1e99', 400, 'invalid_query'],
      ['..%2f..%2fetc%2fpasswd', 400, 'invalid_query'],
    ] as const) {
      const response = await get(`${base}/lines/${at}`);
      expect([at, response.statusCode, response.json().error.code]).toEqual([at, status, code]);
    }
    expect((await get('/api/sessions/nobody/lines/0')).statusCode).toBe(404);
  });
});
