import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ClientProcess } from '../client-process.ts';
import type { Client } from '../clients.ts';
import { firstDifference, normalise } from '../compare.ts';
import { Random } from '../random.ts';
import { writeOurs, type WriteRequest, type Written } from './ours.ts';
import { randomSteps } from './steps.ts';

export interface WritingTally {
  sessions: number;
  /** How often a file was opened on both sides and compared. */
  compared: number;
  equal: number;
  different: number;
}

/** Sessions that are written in turns by a real client and by us; after every turn both must read the same. */
export class WritingCampaign {
  readonly #client: Client;
  readonly #asked: ClientProcess;
  readonly #home: string;
  readonly #say: (line: string) => unknown;
  readonly #tally: WritingTally = { sessions: 0, compared: 0, equal: 0, different: 0 };

  constructor(client: Client, asked: ClientProcess, home: string, say: (line: string) => unknown) {
    this.#client = client;
    this.#asked = asked;
    this.#home = home;
    this.#say = say;
  }

  async run(from: number, sessions: number): Promise<WritingTally> {
    for (let seed = from; seed < from + sessions; seed++) {
      try {
        await this.#session(seed);
      } catch (error) {
        this.#differs(seed, 'a writer fails', error instanceof Error ? error.message : String(error));
      }
      this.#tally.sessions++;
    }
    return this.#tally;
  }

  async #session(seed: number): Promise<void> {
    const random = new Random(seed);
    const cwd = join(this.#home, 'work', `project-${String(seed)}`);
    const dir = join(this.#home, 'agent', 'sessions', `bucket-${String(seed)}`);
    mkdirSync(cwd, { recursive: true });
    mkdirSync(dir, { recursive: true });
    const place = { cwd, dir };
    const writers = random.chance(0.5) ? [this.#ours, this.#theirs] : [this.#theirs, this.#ours];
    let known: Written | null = null;
    for (let turn = 0; turn < random.int(2, 5); turn++) {
      const steps = randomSteps(random, { omp: this.#client.key === 'oh-my-pi', first: known === null });
      const request: WriteRequest =
        known === null ? { action: 'create', ...place, steps } : { action: 'open', path: known.path, ...place, steps };
      const written: Written = await writers[turn % 2]!(request);
      await this.#compare(seed, `turn ${String(turn + 1)}`, written.path, place);
      if (known !== null) this.#nothingIsLost(seed, known, await this.#read(written.path, place));
      known = await this.#read(written.path, place);
    }
    const at = { $entry: random.int(0, 1000) };
    for (const write of writers) {
      const fork = await write({ action: 'fork', path: known!.path, ...place, steps: [] });
      await this.#compare(seed, 'fork', fork.path, place);
      const branched = await write({ action: 'open', path: known!.path, ...place, steps: [], branchAt: at });
      // A branch without an answer is not written before it has one.
      if (hasAnswer(branched)) await this.#compare(seed, 'branched session', branched.path, place);
    }
  }

  readonly #ours = (request: WriteRequest): Promise<Written> =>
    writeOurs(request, this.#client.key === 'oh-my-pi' ? 'musepi' : 'pi');

  readonly #theirs = async (request: WriteRequest): Promise<Written> => {
    const answer = await this.#asked.request<Written>(request);
    if ('error' in answer) throw new Error(`The client: ${answer.error}`);
    return answer;
  };

  #read(path: string, place: { cwd: string; dir: string }): Promise<Written> {
    return this.#ours({ action: 'open', path, ...place, steps: [] });
  }

  /** Opens a file on both sides; ours must not change it. */
  async #compare(seed: number, what: string, path: string, place: { cwd: string; dir: string }): Promise<void> {
    const before = readFileSync(path);
    const ours = await this.#read(path, place);
    if (!readFileSync(path).equals(before)) this.#differs(seed, what, 'opening changed the file');
    const theirs = await this.#theirs({ action: 'open', path, ...place, steps: [] });
    this.#tally.compared++;
    const difference = firstDifference(view(ours, this.#client), view(theirs, this.#client));
    if (difference === null) this.#tally.equal++;
    else this.#differs(seed, `${what} ${path}`, difference);
  }

  /** Every entry of before is there as it was. */
  #nothingIsLost(seed: number, before: Written, after: Written): void {
    const now = new Map(after.entries.map((entry) => [entry['id'], entry]));
    for (const entry of before.entries) {
      const difference = firstDifference(now.get(entry['id']), entry);
      if (difference !== null) this.#differs(seed, `entry ${String(entry['id'])} changed`, difference);
    }
  }

  #differs(seed: number, what: string, difference: string): void {
    this.#tally.different++;
    if (this.#tally.different <= 10) this.#say(`  seed ${String(seed)}, ${what}: ${difference}`);
  }
}

function hasAnswer({ entries }: Written): boolean {
  return entries.some(({ message }) => (message as { role?: string } | undefined)?.role === 'assistant');
}

/** What both sides must agree on, as JSON. */
function view({ entries, leaf, name, context }: Written, client: Client): Record<string, unknown> {
  const plain = JSON.parse(JSON.stringify(entries)) as unknown[];
  return { entries: plain, leaf, name: name ?? null, context: normalise(context, client.key) };
}
