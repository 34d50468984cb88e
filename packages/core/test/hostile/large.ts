import {
  assistant,
  call,
  entry,
  file,
  HEADER,
  idOf,
  result,
  session,
  text,
  timeOf,
  user,
  type Fields,
  type Line,
} from './lines.ts';
import type { HostileInput } from './inputs.ts';

const chain = (n: number): Line => user(n, n === 1 ? null : n - 1);
const many = (count: number, make: (i: number) => Line): Iterable<Line> => ({
  *[Symbol.iterator]() {
    for (let i = 0; i < count; i++) yield make(i);
  },
});

/** A chain; every `every`-th entry is a dead child of the one before it. */
export function chainWithDeadEnds(count: number, every = 100): Uint8Array {
  let last: number | null = null;
  return file(
    session(count, (n) => {
      const made = user(n, last);
      if (n % every !== 0) last = n;
      return made;
    }),
  );
}

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** The same deep value in every field that may hold one. */
export function deepEverywhere(depth: number): Uint8Array {
  const deep = nested(depth);
  const base = (n: number): string =>
    `"id":"${idOf(n)}","parentId":${n === 1 ? 'null' : `"${idOf(n - 1)}"`},"timestamp":"${timeOf(n)}"`;
  return file([
    `${JSON.stringify(HEADER).slice(0, -1)},"extra":${deep}}`,
    `{"type":"message",${base(1)},"message":{"role":"user","content":${deep}}}`,
    `{"type":"message",${base(2)},"message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"x","arguments":${deep}},{"type":"odd","value":${deep}}],"usage":${deep}}}`,
    `{"type":"message",${base(3)},"message":{"role":"toolResult","toolCallId":"c","content":${deep},"details":${deep}}}`,
    `{"type":"custom_message",${base(4)},"customType":"c","content":${deep},"details":${deep}}`,
    `{"type":"custom",${base(5)},"customType":"c","data":${deep}}`,
    `{"type":"mode_change",${base(6)},"mode":"plan","data":${deep}}`,
    `{"type":"service_tier_change",${base(7)},"serviceTier":${deep}}`,
    `{"type":"message",${base(8)},"message":{"role":"system","content":"","toolsAdded":[{"name":"t","parameters":${deep}}],"sections":{"a":${deep}}}}`,
    `{"type":"compaction",${base(9)},"summary":"s","details":${deep},"preserveData":${deep},"systemMessage":{"role":"system","toolsAdded":${deep}}}`,
    `{"type":"context_edit",${base(10)},"targetId":"${idOf(1)}","replacement":{"content":${deep}},"content":${deep}}`,
    `{"type":"odd",${base(11)},"value":${deep}}`,
    `{"type":"session_init",${base(12)},"systemPrompt":"p","task":${deep},"tools":${deep},"outputSchema":${deep}}`,
    `{"type":"message",${base(13)},"message":{"role":"fileMention","files":[{"path":"p","content":"c","image":${deep}}]}}`,
    `{"type":"message",${base(14)},"message":{"role":"custom","customType":"c","content":[{"type":"text","text":"x"}],"details":${deep}}}`,
    `{"type":"ttsr_injection",${base(15)},"injectedRules":${deep}}`,
    `{"type":"active_tools_change",${base(16)},"tools":${deep}}`,
  ]);
}

/** One line that JSON does not end: what follows an opening brace may be tried again and again. */
export const openBraces = (length: number): Uint8Array =>
  file([HEADER, '{"type":"'.repeat(Math.ceil(length / 9)), user(1, null)]);

function calls(count: number): Line[] {
  const ids = Array.from({ length: count }, (_, i) => `c${String(i)}`);
  return [
    HEADER,
    user(1, null),
    assistant(
      2,
      1,
      ids.map((id) => call(id, 'bash', { command: `echo ${id}` })),
      { stopReason: 'toolUse' },
    ),
    ...ids.slice(0, 200).map((id, i) => result(3 + i, 2 + i, id, text(id))),
  ];
}

const duplicates = (count: number): Uint8Array =>
  file(session(count, (n) => ({ ...user(n, null), id: 'same', parentId: 'same' })));
const orphans = (count: number): Uint8Array => file(session(count, (n) => ({ ...user(n, null), parentId: `gone${String(n)}` })));
const circle = (count: number): Uint8Array => file(session(count, (n) => user(n, n === 1 ? count : n - 1)));
const star = (count: number): Uint8Array => file(session(count, (n) => user(n, n === 1 ? null : 1)));
const labels = (count: number): Uint8Array =>
  file([
    ...session(count, chain),
    ...many(count, (i) => entry(count + 1 + i, count + i, 'label', { targetId: idOf(i + 1), label: `label ${String(i)}` })),
  ]);
const compactions = (count: number): Uint8Array =>
  file(
    session(count * 3, (n) =>
      n % 3 === 0
        ? entry(n, n - 1, 'compaction', {
            summary: `so far ${String(n)}`,
            firstKeptEntryId: idOf(Math.max(1, n - 4)),
            tokensBefore: n,
          })
        : chain(n),
    ),
  );
const garbage = (count: number): Uint8Array =>
  file([HEADER, user(1, null), ...many(count, (i) => (i % 3 === 0 ? '{' : i % 3 === 1 ? '"' : 'x')), user(2, 1)]);

/** An input of a size: large enough that work which is quadratic in it does not end in time. */
const sized = (name: string, count: number, make: (count: number) => Uint8Array, over: Partial<HostileInput>): HostileInput => ({
  name,
  bytes: () => make(count),
  entries: count,
  problems: {},
  ...over,
});

/** Files that are large, deep or wide. */
export const LARGE: HostileInput[] = [
  sized('a chain of 20,000 entries', 20_000, (n) => file(session(n, chain)), {}),
  sized('a chain of 60,000 entries with dead ends', 60_000, chainWithDeadEnds, {}),
  sized('60,000 entries with the same id', 60_000, duplicates, { problems: { duplicate_id: 59_999, parent_cycle: 1 } }),
  sized('60,000 orphans', 60_000, orphans, { problems: { missing_parent: 60_000 } }),
  sized('a circle of 60,000 entries', 60_000, circle, { problems: { parent_cycle: 1 } }),
  sized('a star of 60,000 children', 60_000, star, {}),
  sized('100,000 labels', 100_000, labels, { entries: 200_000 }),
  sized('10,000 compactions on one path', 10_000, compactions, { entries: 30_000 }),
  sized('100,000 tool calls in one turn', 100_000, (n) => file(calls(n)), { entries: 202 }),
  sized('a million lines of garbage', 1_000_000, garbage, { entries: 2, problems: { bad_json: 1_000_000 } }),
  sized(
    '200,000 nested arrays',
    200_000,
    (n) => file([HEADER, nested(n), `{"type":"odd","id":"a","parentId":null,"value":${nested(n)}}`]),
    {
      entries: 1,
      problems: { not_an_object: 1 },
    },
  ),
  sized(
    '200,000 nested arrays that do not end',
    200_000,
    (n) => file([HEADER, '['.repeat(n), '{"a":'.repeat(n), user(1, null)]),
    {
      entries: 1,
      problems: { bad_json: 2 },
    },
  ),
  sized('deep values in every field', 50_000, deepEverywhere, { entries: 16 }),
  sized('an open brace, two million times', 2_000_000, openBraces, { entries: 1, problems: { bad_json: 1 } }),
  sized(
    'a tool argument of 5 MB',
    5_000_000,
    (n) => file([HEADER, user(1, null), assistant(2, 1, [call('c', 'write', { path: 'a', content: 'y'.repeat(n) })])]),
    {
      entries: 2,
    },
  ),
  sized(
    'an image of 20 MB in base64',
    20_000_000,
    (n) => file([HEADER, user(1, null, [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(n) }])]),
    {
      entries: 1,
    },
  ),
  sized('texts of 100 KB in every name', 60, longNames, { entries: 60 }),
];

function longNames(count: number): Uint8Array {
  const long = 'n'.repeat(100_000);
  const make = (n: number): Fields => {
    const parent = n === 1 ? null : n - 1;
    switch (n % 6) {
      case 1:
        return assistant(n, parent, text(long), { provider: long, model: `${long}${String(n)}` });
      case 2:
        return entry(n, parent, 'label', { targetId: idOf(n - 1), label: `${long}${String(n)}` });
      case 3:
        return entry(n, parent, `${long}${String(n)}`);
      case 4:
        return entry(n, parent, 'custom_message', { customType: `${long}${String(n)}`, content: long, display: true });
      case 5:
        return result(n, parent, long, text(long), { toolName: `${long}${String(n)}` });
      default:
        return entry(n, parent, 'session_info', { name: `${long}${String(n)}` });
    }
  };
  return file([{ ...HEADER, cwd: `/${long}`, title: long }, ...Array.from({ length: count }, (_, i) => make(i + 1))]);
}
