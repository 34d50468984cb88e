import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ClientProcess } from './client-process.ts';
import type { Client } from './clients.ts';
import { anyDress, asOldVersion, PLAIN, type Dress } from './dress.ts';
import { generateOmp } from './generate-omp.ts';
import { generatePi } from './generate-pi.ts';
import { Random } from './random.ts';
import { realisticSessions } from './realistic.ts';
import { casesFor, emptyTally, hasRepeatedIds, testFile, writeRecords, type Finding, type Tally } from './session-test.ts';
import { shrink } from './shrink.ts';
import { leavesOf, type Body } from './writer.ts';

const MAX_SHOWN = 5;

interface Subject {
  seed: number;
  records: Body[];
  dress: Dress;
  /** Entries have ids of their own that both sides know. */
  named: boolean;
}

/** One client's tests. */
export class Campaign {
  readonly #client: Client;
  readonly #asked: ClientProcess;
  readonly #folder: string;
  readonly #say: (line: string) => void;
  readonly #keep: string | null;

  /** @param keep where the smallest sessions that differ are written; null: nowhere. */
  constructor(client: Client, asked: ClientProcess, folder: string, say: (line: string) => void, keep: string | null) {
    this.#client = client;
    this.#asked = asked;
    this.#folder = folder;
    this.#say = say;
    this.#keep = keep;
  }

  async generated(first: number, count: number): Promise<Tally> {
    const tally = emptyTally();
    let shown = 0;
    for (let seed = first; seed < first + count; seed++) {
      const subject = this.#subject(seed);
      const [finding] = await this.#test(subject, tally);
      tally.sessions++;
      if (finding === undefined || shown++ >= MAX_SHOWN) continue;
      this.#say(`  seed ${String(seed)} ${JSON.stringify(finding.case)} ${finding.what}`);
      if (this.#keep !== null) await this.#keepSmallest(subject, this.#keep);
    }
    return tally;
  }

  /** The corpus generator's sessions, opened by the client's own session manager. */
  async realistic(): Promise<Tally> {
    const tally = emptyTally();
    const shapes = this.#client.key === 'oh-my-pi' ? 'musepi' : 'pi';
    for (const path of await realisticSessions(this.#folder, shapes, this.#client.key !== 'pi-old')) {
      const records = readFileSync(path, 'utf8').trimEnd().split('\n');
      const entries = records.map((line) => JSON.parse(line) as Body).filter((record) => record['parentId'] !== undefined);
      const cases = casesFor(this.#client, leavesOf(entries, new Random(1)));
      const findings = await testFile(path, this.#client, this.#asked, cases, tally);
      tally.sessions++;
      for (const { case: one, what } of findings.slice(0, 2)) this.#say(`  ${path} ${JSON.stringify(one)} ${what}`);
    }
    return tally;
  }

  #subject(seed: number): Subject {
    const { key } = this.#client;
    const family = key === 'oh-my-pi' ? 'musepi' : 'pi';
    const records = family === 'musepi' ? generateOmp(seed) : generatePi(seed, { modern: key === 'pi' });
    const random = new Random(seed + 1e6);
    const dress = anyDress(random, family);
    const version = random.weighted([
      [90, 3],
      [5, 2],
      [5, 1],
    ] as const);
    if (version === 3) return { seed, records, dress, named: true };
    return { seed, records: asOldVersion(records, version), dress, named: version === 2 };
  }

  #test({ seed, records, dress, named }: Subject, tally: Tally): Promise<Finding[]> {
    const path = join(this.#folder, 'session.jsonl');
    writeRecords(path, records, dress);
    const leaves = named ? leavesOf(records.slice(1), new Random(seed)) : [undefined, null];
    const lens = named && !dress.damage && !hasRepeatedIds(records);
    return testFile(path, this.#client, this.#asked, casesFor(this.#client, leaves), tally, { lens });
  }

  async #keepSmallest(subject: Subject, keep: string): Promise<void> {
    const plain = { ...subject, dress: PLAIN };
    const start = (await this.#test(plain, emptyTally())).length > 0 ? plain : subject;
    const differs = async (records: Body[]): Promise<boolean> =>
      (await this.#test({ ...start, records }, emptyTally())).length > 0;
    const records = await shrink(start.records, differs);
    const [finding] = await this.#test({ ...start, records }, emptyTally());
    mkdirSync(keep, { recursive: true });
    const path = join(keep, `${this.#client.key}-${String(subject.seed)}.jsonl`);
    writeRecords(path, records, start.dress);
    this.#say(`    smallest: ${path} ${JSON.stringify(finding?.case)} ${finding?.what ?? ''}`);
  }
}
