import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { HistoryEntry, HistoryStorage } from '../../src/history/index.ts';
import { foreign, openHistory, type ForeignKind } from './databases.ts';

type Step =
  | { do: 'add'; prompt: string; cwd: string | undefined; wait: number }
  | { do: 'reopen' }
  | { do: 'recent'; limit: number }
  | { do: 'search'; query: string; limit: number };

const words = fc.array(fc.constantFrom('fix', 'Fixture', 'login', '登录', '修复登录页面', 'a_b', '100%', '', ' ', '\r\n'), {
  maxLength: 4,
});
const text = words.map((list) => list.join(' '));
const limit = fc.integer({ min: 0, max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      prompt: text,
      cwd: fc.option(fc.constantFrom('/a', '/b'), { nil: undefined }),
      wait: fc.integer({ min: 0, max: 1 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'reopen' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('recent' as const), limit }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('search' as const), query: text, limit }) },
);

/** The same in memory, the simplest way. */
class Model {
  readonly #unique: boolean;
  readonly #entries: HistoryEntry[] = [];
  #nextId = 1;

  constructor(unique: boolean) {
    this.#unique = unique;
  }

  add(sent: string, createdAt: number, cwd: string | null): void {
    const lines = sent.split(/\r\n|\r|\n/).map((line) => line.trimEnd());
    const prompt = lines.join('\n').trim();
    if (prompt === '') return;
    const same = this.#entries.find((entry) => entry.prompt === prompt);
    if (this.#unique && same !== undefined) Object.assign(same, { createdAt, cwd });
    else if (this.#unique || this.#entries.at(-1)?.prompt !== prompt) {
      this.#entries.push({ id: this.#nextId++, prompt, createdAt, cwd, sessionId: null });
    }
  }

  recent(count: number): HistoryEntry[] {
    return [...this.#entries].sort((a, b) => b.createdAt - a.createdAt || b.id - a.id).slice(0, count);
  }

  search(query: string, count: number): HistoryEntry[] {
    const tokens = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    if (tokens.length === 0) return [];
    const holds = ({ prompt }: HistoryEntry): boolean => tokens.every((token) => prompt.toLowerCase().includes(token));
    return this.recent(Infinity).filter(holds).slice(0, count);
  }
}

async function run(kind: ForeignKind, steps: readonly Step[]): Promise<void> {
  let seconds = 1_000;
  const at = foreign(kind);
  const open = (): HistoryStorage => openHistory(at, { now: () => seconds * 1000 });
  const model = new Model(kind === 'unique');
  let history = open();
  for (const one of steps) {
    if (one.do === 'add') {
      seconds += one.wait;
      void history.add(one.prompt, one.cwd);
      model.add(one.prompt, seconds, one.cwd ?? null);
    } else if (one.do === 'reopen') {
      await history.close();
      history = open();
    } else if (one.do === 'recent') expect(plain(history.getRecent(one.limit))).toEqual(plain(model.recent(one.limit)));
    else expect(plain(history.search(one.query, one.limit))).toEqual(plain(model.search(one.query, one.limit)));
  }
  expect(plain(history.getRecent(1000))).toEqual(plain(model.recent(1000)));
  await history.close();
}

/** SQLite uses up ids for repeats, too; only their order means something. */
const plain = (entries: readonly HistoryEntry[]): unknown[] =>
  entries.map(({ prompt, createdAt, cwd }) => [prompt, createdAt, cwd]);

describe('any sequence of calls', () => {
  it.each(['unique', 'old', 'titlesOnly'] as const)(
    'answers what a list in memory answers, in a database of the kind "%s"',
    { timeout: 120_000 },
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), (steps) => run(kind, steps)),
        { numRuns: 60 },
      );
    },
  );
});
