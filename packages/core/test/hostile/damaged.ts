import { concat, entry, file, HEADER, result, session, user, assistant, type Line } from './lines.ts';
import type { HostileInput } from './inputs.ts';
import { xssEntries, XSS_HEADER } from './xss.ts';

const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);
const chain = (n: number): Line => user(n, n === 1 ? null : n - 1);

function utf16(value: string): Uint8Array {
  const all = new Uint8Array(2 + value.length * 2);
  all.set([0xff, 0xfe]);
  for (let i = 0; i < value.length; i++) all.set([value.charCodeAt(i) & 0xff, value.charCodeAt(i) >> 8], 2 + i * 2);
  return all;
}

/** An entry with text that JSON.stringify would not write: escapes of half a surrogate pair. */
const lone = (n: number, parent: number, type: string, rest: string): string =>
  `{"type":"${type}","id":"0000000${String(n)}","parentId":"0000000${String(parent)}","timestamp":"2026-01-01T00:00:0${String(n)}.000Z",${rest}}`;

/** Files that are broken, or that look as if they were. */
export const DAMAGED: HostileInput[] = [
  { name: 'an empty file', bytes: () => new Uint8Array(0), entries: 0, problems: {} },
  {
    name: 'a NUL block in the middle',
    bytes: () => concat([file(session(5, chain)), new Uint8Array(512), bytes('\n'), file([6, 7, 8, 9, 10].map(chain))]),
    entries: 10,
    problems: { nul_bytes: 1 },
  },
  {
    name: 'a record split by a raw line feed',
    bytes: () => file([HEADER, chain(1), JSON.stringify(user(2, 1, 'one@two')).replace('@', '\n'), user(3, 2)]),
    entries: 3,
    problems: { split_record: 1 },
  },
  {
    name: 'line separators in texts',
    bytes: () => file([HEADER, user(1, null, 'one\u2028two\u2029three'), user(2, 1, '\u0085next\u000b\u000c')]),
    entries: 2,
    problems: {},
  },
  {
    name: 'lone surrogates',
    bytes: () =>
      file([
        HEADER,
        user(1, null),
        lone(
          2,
          1,
          'message',
          '"message":{"role":"assistant","content":[{"type":"text","text":"cut \\ud83d"}],"model":"\\udc00"}',
        ),
        lone(
          3,
          2,
          'message',
          '"message":{"role":"toolResult","toolCallId":"\\ud83d","toolName":"\\ud83d","content":[{"type":"text","text":"\\ude00\\ud83d"}]}',
        ),
        lone(4, 3, 'label', '"targetId":"00000002","label":"broken \\ud83d"'),
        lone(5, 4, 'session_info', '"name":"half \\ud83d"'),
      ]),
    entries: 5,
    problems: {},
  },
  {
    name: 'content of every wrong form',
    bytes: () =>
      file([
        HEADER,
        user(1, null, 'hi'),
        assistant(2, 1, 'yo', { usage: {} }),
        result(3, 2, 'c', null),
        entry(4, 3, 'message', { message: { role: 'user' } }),
        entry(5, 4, 'message', {}),
        entry(6, 5, 'message', { message: null }),
        entry(7, 6, 'message', { message: 'text' }),
        entry(8, 7, 'compaction', { summary: 's' }),
        assistant(9, 8, { type: 'text', text: 'no list' }),
        assistant(10, 9, [null, 5, 'text', [], { type: null }, { text: 'no type' }, { type: 'text', text: 7 }]),
        entry(11, 10, 'message', { message: { role: 5, content: 5 } }),
        entry(12, 11, 'custom_message', { customType: 5, content: 5 }),
        entry(13, 12, 'label', { targetId: 5, label: 5 }),
        entry(14, 13, 'model_change', { provider: 5, modelId: null }),
        assistant(15, 14, [{ type: 'toolCall' }, { type: 'toolCall', id: 5, name: 5, arguments: 'text' }], {
          usage: null,
          model: 5,
        }),
        entry(16, 15, 'branch_summary', {}),
        entry(17, 16, ''),
        entry(18, 17, 'compaction', { summary: { deep: 1 }, firstKeptEntryId: 5, tokensBefore: 'many', details: 7 }),
        { ...entry(19, 18, 'message', { message: { role: 'user', content: 'x' } }), timestamp: 5 },
        { ...entry(20, 19, 'message', { message: { role: 'user', content: 'x' } }), timestamp: { a: 1 } },
      ]),
    entries: 20,
    problems: {},
  },
  { name: 'the XSS kit', bytes: () => file([XSS_HEADER, ...xssEntries()]), entries: 20, problems: {} },
  {
    name: 'CRLF and a byte order mark',
    bytes: () => concat([bytes('\ufeff'), bytes(new TextDecoder().decode(file(session(3, chain))).replaceAll('\n', '\r\n'))]),
    entries: 3,
    problems: { byte_order_mark: 1 },
  },
  {
    name: 'UTF-16',
    bytes: () => utf16(new TextDecoder().decode(file(session(3, chain)))),
    entries: 0,
    problems: 'any',
  },
  {
    name: 'Latin-1 bytes',
    bytes: () =>
      file([
        HEADER,
        concat([
          bytes('{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"'),
          new Uint8Array([0xe9, 0xff, 0xc0]),
          bytes('"}}'),
        ]),
      ]),
    entries: 1,
    problems: { invalid_utf8: 1 },
  },
  {
    name: 'keys of the object prototype',
    bytes: () =>
      file([
        '{"type":"session","version":3,"id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w","__proto__":{"polluted":1},"constructor":1}',
        user(1, null, 'x', { id: '__proto__', parentId: null }),
        user(2, null, 'x', { id: 'constructor', parentId: '__proto__' }),
        user(3, null, 'x', { id: 'toString', parentId: 'constructor' }),
        '{"type":"__proto__","id":"hasOwnProperty","parentId":"toString","timestamp":"2026-01-01T00:00:04.000Z","__proto__":{"polluted":1}}',
        entry(5, null, 'constructor', { parentId: 'hasOwnProperty' }),
        '{"type":"message","id":"m6","parentId":"00000005","message":{"role":"__proto__","content":[{"type":"__proto__","__proto__":{"polluted":1}}],"__proto__":{"polluted":1}}}',
        '{"type":"message","id":"m7","parentId":"m6","message":{"role":"assistant","provider":"__proto__","model":"constructor","content":[{"type":"toolCall","id":"__proto__","name":"constructor","arguments":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}],"usage":{"__proto__":{"input":5}}}}',
        '{"type":"model_change","id":"m8","parentId":"m7","model":"p/m","role":"__proto__"}',
        '{"type":"label","id":"m9","parentId":"m8","targetId":"__proto__","label":"constructor"}',
        '{"type":"service_tier_change","id":"m10","parentId":"m9","serviceTier":{"__proto__":"flex","constructor":"flex"}}',
        '{"type":"message","id":"m11","parentId":"m10","message":{"role":"system","sections":{"__proto__":"text","constructor":"text"}}}',
      ]),
    entries: 11,
    problems: {},
  },
  {
    name: 'numbers that are no figures',
    bytes: () =>
      file([
        '{"type":"session","version":1e999,"id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}',
        ...['1e308', '-1e308', '1e999', '-5', '0.1', '9007199254740993', 'null', '"7"', 'true'].map(
          (n, i) =>
            `{"type":"message","id":"n${String(i)}","parentId":${i === 0 ? 'null' : `"n${String(i - 1)}"`},"timestamp":${n},"message":{"role":"assistant","content":[],"provider":"p","model":"m","timestamp":${n},"duration":${n},"usage":{"input":${n},"output":${n},"cacheRead":${n},"cacheWrite":${n},"cost":{"total":${n}}}}}`,
        ),
        '{"type":"compaction","id":"k","parentId":"n8","summary":"s","tokensBefore":1e308,"tokensAfter":-1e308,"firstKeptEntryIndex":1e308}',
        '{"type":"message","id":"b","parentId":"k","message":{"role":"bashExecution","command":"c","output":"","exitCode":1e308}}',
      ]),
    entries: 11,
    problems: { newer_version: 1, kept_entry_missing: 1 },
  },
  {
    name: 'dates out of range',
    bytes: () =>
      file([
        { ...HEADER, timestamp: '+275760-09-13T00:00:00.000Z' },
        ...[
          '+275760-09-13T00:00:00.000Z',
          '-271821-04-20T00:00:00.000Z',
          '+275760-09-13T00:00:00.001Z',
          '0000-00-00T00:00:00.000Z',
          '2026-02-31T25:61:61.999Z',
          '9999-12-31T23:59:59.999Z',
          '1e300',
          'yesterday',
          '',
        ].map((timestamp, i) => user(i + 1, i === 0 ? null : i, 'x', { timestamp })),
        entry(10, 9, 'message', { timestamp: null, message: { role: 'user', content: 'x', timestamp: 8.64e15 + 1 } }),
        entry(11, 10, 'message', { timestamp: null, message: { role: 'user', content: 'x', timestamp: -1e300 } }),
      ]),
    entries: 11,
    problems: {},
  },
  {
    name: 'strange ids',
    bytes: () => {
      const ids = [
        'a/b',
        '../..',
        '%2f',
        'nul\u0000',
        '😀',
        '@3',
        ' ',
        '\n',
        'x'.repeat(100_000),
        '"\\',
        '~2',
        '#',
        '?',
        'a~2',
        'a',
        'a',
        'a',
      ];
      return file([HEADER, ...ids.map((id, i) => user(i, null, 'x', { id, parentId: i === 0 ? null : ids[i - 1] }))]);
    },
    entries: 17,
    problems: { duplicate_id: 2, parent_cycle: 1 },
  },
  {
    name: 'two records on one line, and a truncated one before another',
    bytes: () =>
      file([
        HEADER,
        `${JSON.stringify(user(1, null))}${JSON.stringify(user(2, 1))}`,
        `${JSON.stringify(user(9, 2)).slice(0, 60)}${JSON.stringify(user(3, 2))}`,
        'null',
        '[]',
        '5',
        '{}',
      ]),
    entries: 3,
    problems: { glued_records: 2, not_an_object: 3, missing_type: 1 },
  },
];
