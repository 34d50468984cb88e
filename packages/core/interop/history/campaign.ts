import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { HistoryStorage, type HistoryEntry } from '../../src/history/index.ts';
import type { ClientProcess } from '../client-process.ts';
import { Random } from '../random.ts';
import { somePrompts, someQueries, type Query, type Sent } from './prompts.ts';

interface Answer {
  recent: HistoryEntry[];
  found: HistoryEntry[][];
  titles: string[];
}

interface ClientRow {
  id: number;
  prompt: string;
  created_at: number;
  cwd?: string;
  sessionId?: string;
}

interface ClientAnswer {
  recent: ClientRow[];
  found: ClientRow[][];
  titles: string[];
}

export interface HistoryTally {
  databases: number;
  /** Answers to one query, compared. */
  answers: number;
  equal: number;
  different: number;
}

const RECENT = 1000;
const QUERIES = 25;
const TITLES = [['s1', 'One title'] as const];

/** A database that both sides write in turns; after each turn both are asked the same. */
export class HistoryCampaign {
  readonly #asked: ClientProcess;
  readonly #folder: string;
  readonly #say: (line: string) => unknown;
  readonly #tally: HistoryTally = { databases: 0, answers: 0, equal: 0, different: 0 };

  constructor(asked: ClientProcess, folder: string, say: (line: string) => unknown) {
    this.#asked = asked;
    this.#folder = folder;
    this.#say = say;
  }

  async run(from: number, count: number): Promise<HistoryTally> {
    for (let seed = from; seed < from + count; seed++) {
      await this.#theirs(seed);
      await this.#ours(seed);
    }
    return this.#tally;
  }

  /** Made by the client; ours only looks, then writes while the client has it open, then the client looks. */
  async #theirs(seed: number): Promise<void> {
    const random = new Random(seed);
    const path = join(this.#folder, `theirs-${String(seed)}.db`);
    const sent = somePrompts(random, random.int(1, 30));
    const queries = someQueries(random, sent, QUERIES);
    const keepOpen = random.chance(0.5);
    const first = await this.#client(path, { add: sent, queries, titles: TITLES, keepOpen });
    this.#compare(`seed ${String(seed)}, made by the client`, await ask(path, [], queries), first);
    const more = [...somePrompts(random, random.int(1, 10)), ...sent.slice(0, 3)];
    const after = await ask(path, more, queries);
    this.#compare(`seed ${String(seed)}, continued by ours`, after, await this.#client(path, { add: [], queries }));
    this.#tally.databases++;
  }

  /** Made by ours; the client gives it the form that it needs (a prompt once), and writes; ours looks. */
  async #ours(seed: number): Promise<void> {
    const random = new Random(seed + 0x1000000);
    const path = join(this.#folder, `ours-${String(seed)}.db`);
    const sent = withoutRepeats([['begin', null, null], ...somePrompts(random, random.int(0, 30))]);
    const queries = someQueries(random, sent, QUERIES);
    const ours = await ask(path, sent, queries);
    const copy = join(this.#folder, `looked-${String(seed)}.db`);
    copyFileSync(path, copy);
    this.#compare(`seed ${String(seed)}, made by ours`, ours, await this.#client(copy, { add: [], queries }));
    const repeated = await ask(path, somePrompts(random, 10), queries);
    const continued = await this.#client(path, { add: somePrompts(random, random.int(1, 10)), queries, titles: TITLES });
    this.#compare(`seed ${String(seed)}, continued by the client`, await ask(path, [], queries), continued);
    const texts = new Set(continued.recent.map(({ prompt }) => prompt));
    if (!repeated.recent.every(({ prompt }) => texts.has(prompt))) this.#differ(`seed ${String(seed)}: a prompt of ours is gone`);
    this.#tally.databases++;
  }

  async #client(
    path: string,
    request: { add: Sent[]; queries: Query[]; titles?: readonly (readonly [string, string])[]; keepOpen?: boolean },
  ): Promise<Answer> {
    const answer = await this.#asked.request<ClientAnswer>({ path, recent: RECENT, ...request });
    if ('error' in answer) throw new Error(`The client throws: ${answer.error}`);
    return { recent: answer.recent.map(entry), found: answer.found.map((rows) => rows.map(entry)), titles: answer.titles };
  }

  #compare(what: string, ours: Omit<Answer, 'titles'>, theirs: Answer): void {
    const pairs = [[ours.recent, theirs.recent] as const, ...ours.found.map((rows, n) => [rows, theirs.found[n]] as const)];
    for (const [mine, yours] of pairs) {
      this.#tally.answers++;
      if (isDeepStrictEqual(mine, yours)) this.#tally.equal++;
      else this.#differ(`${what}: ${JSON.stringify(mine)} is not ${JSON.stringify(yours)}`);
    }
    if (what.includes('by ours') && what.includes('continued') && theirs.titles.length !== TITLES.length) {
      this.#differ(`${what}: the titles of sessions are gone`);
    }
  }

  #differ(sentence: string): void {
    if (this.#tally.different++ < 5) this.#say(sentence.slice(0, 2000));
  }
}

function entry({ id, prompt, created_at, cwd, sessionId }: ClientRow): HistoryEntry {
  return { id, prompt, createdAt: created_at, cwd: cwd ?? null, sessionId: sessionId ?? null };
}

/** What ours answers, after it has added. */
async function ask(path: string, add: readonly Sent[], queries: readonly Query[]): Promise<Omit<Answer, 'titles'>> {
  const history = HistoryStorage.open(path);
  for (const [prompt, cwd, session] of add) void history.add(prompt, cwd ?? undefined, session ?? undefined);
  await history.flush();
  const found = queries.map(([query, limit]) => history.search(query, limit));
  const recent = history.getRecent(RECENT);
  await history.close();
  return { recent, found };
}

/** As stored: two prompts that differ in blanks at line ends are one. */
function withoutRepeats(sent: readonly Sent[]): Sent[] {
  const seen = new Set<string>();
  return sent.filter(([prompt]) => {
    const key = prompt.replace(/\s+/g, ' ').trim();
    return !seen.has(key) && seen.add(key);
  });
}
