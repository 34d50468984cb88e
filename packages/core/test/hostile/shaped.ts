import { assistant, entry, file, HEADER, idOf, session, text, user, type Fields } from './lines.ts';
import type { HostileInput } from './inputs.ts';

const kept = (n: number, parent: number, first: number): Fields =>
  entry(n, parent, 'compaction', { summary: `summary ${String(n)}`, firstKeptEntryId: idOf(first), tokensBefore: 100 });

/** u1 a1 u2 a2 C1(keeps from u2) u3 a3 C2(keeps from a2). */
function nestedCompactions(): Uint8Array {
  return file([
    HEADER,
    user(1, null, 'u1'),
    assistant(2, 1, text('a1')),
    user(3, 2, 'u2'),
    assistant(4, 3, text('a2')),
    kept(5, 4, 3),
    user(6, 5, 'u3'),
    assistant(7, 6, text('a3')),
    kept(8, 7, 4),
  ]);
}

/** 300 messages, a compaction that keeps ten of them, then 60 entries that are no chat. */
function tailWithoutChat(): Uint8Array {
  return file(
    session(361, (n) => {
      const parent = n === 1 ? null : n - 1;
      if (n <= 300)
        return n % 2 === 1 ? user(n, parent, `prompt ${String(n)}`) : assistant(n, parent, text(`answer ${String(n)}`));
      return n === 301 ? kept(n, 300, 291) : entry(n, parent, 'custom', { customType: 'state', data: { n } });
    }),
  );
}

/** Two processes append to one file, each to its own branch. */
function twoWriters(): Uint8Array {
  const parents = [null, 1, 2, 2, 3, 4, 5, 6];
  const texts = ['u1', 'a1', 'pA1', 'pB1', 'pA2', 'pB2', 'pA3', 'pB3'];
  return file(
    session(8, (n) => {
      const timestamp = `2026-01-01T00:00:01.${String(n * 100).padStart(3, '0')}Z`;
      const made = n % 4 < 2 ? user(n, parents[n - 1]!, texts[n - 1]) : assistant(n, parents[n - 1]!, text(texts[n - 1]!));
      return { ...made, timestamp };
    }),
  );
}

/** Around a jump of the clock, with an offset, and over three days. */
function timeZones(): Uint8Array {
  const times = [
    '2026-01-24T20:08:00-08:00',
    '2026-03-28T23:30:00Z',
    '2026-03-29T00:30:00Z',
    '2026-03-29T01:30:00Z',
    '2026-03-30T12:00:00+05:30',
  ];
  return file(
    session(times.length, (n) => ({
      ...assistant(n, n === 1 ? null : n - 1, text('x'), { usage: { input: n, output: 1 } }),
      timestamp: times[n - 1],
    })),
  );
}

/** Files that are whole, and of a form in which others went wrong. */
export const SHAPED: HostileInput[] = [
  { name: 'nested compactions', bytes: nestedCompactions, entries: 8, problems: {} },
  { name: 'a tail without chat', bytes: tailWithoutChat, entries: 361, problems: {} },
  { name: 'two writers', bytes: twoWriters, entries: 8, problems: {} },
  { name: 'time zones', bytes: timeZones, entries: 5, problems: {} },
];
