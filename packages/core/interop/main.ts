/**
 * Compares our contexts with those of the real clients. `--client KEY` one of them, `--sessions N` how many generated
 * sessions (500), `--from SEED` the first seed, `--keep DIR` where smallest differing sessions are written,
 * `--no-install` only what is installed.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { ClientProcess } from './client-process.ts';
import { CLIENTS, prepareClient, type Client } from './clients.ts';
import { generateOmp } from './generate-omp.ts';
import { generatePi } from './generate-pi.ts';
import { Random } from './random.ts';
import { realisticSessions } from './realistic.ts';
import { casesFor, emptyTally, hasRepeatedIds, testFile, writeRecords, type Finding, type Tally } from './session-test.ts';
import { shrink } from './shrink.ts';
import { leavesOf, type Body } from './writer.ts';

const { values } = parseArgs({
  options: {
    client: { type: 'string' },
    sessions: { type: 'string', default: '500' },
    from: { type: 'string', default: '1' },
    keep: { type: 'string' },
    'no-install': { type: 'boolean' },
  },
});
const MAX_SHOWN = 5;

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

function generate(client: Client, seed: number): Body[] {
  return client.key === 'oh-my-pi' ? generateOmp(seed) : generatePi(seed, { modern: client.key === 'pi' });
}

async function generatedSessions(client: Client, asked: ClientProcess, folder: string): Promise<Tally> {
  const tally = emptyTally();
  const first = Number(values.from);
  let shown = 0;
  for (let seed = first; seed < first + Number(values.sessions); seed++) {
    const records = generate(client, seed);
    const findings = await testRecords(client, asked, folder, records, seed, tally);
    tally.sessions++;
    const finding = findings[0];
    if (finding === undefined || shown >= MAX_SHOWN) continue;
    shown++;
    say(`  seed ${String(seed)} ${JSON.stringify(finding.case)} ${finding.what}`);
    if (values.keep !== undefined) await keepSmallest(client, asked, folder, records, seed, values.keep);
  }
  return tally;
}

async function testRecords(
  client: Client,
  asked: ClientProcess,
  folder: string,
  records: readonly Body[],
  seed: number,
  tally: Tally,
): Promise<Finding[]> {
  const path = join(folder, 'session.jsonl');
  writeRecords(path, records);
  const cases = casesFor(client, leavesOf(records.slice(1), new Random(seed)));
  return testFile(path, client, asked, cases, tally, { lens: !hasRepeatedIds(records) });
}

async function keepSmallest(
  client: Client,
  asked: ClientProcess,
  folder: string,
  records: readonly Body[],
  seed: number,
  keep: string,
): Promise<void> {
  const differs = async (smaller: Body[]): Promise<boolean> =>
    (await testRecords(client, asked, folder, smaller, seed, emptyTally())).length > 0;
  const smallest = await shrink(records, differs);
  mkdirSync(keep, { recursive: true });
  const [finding] = await testRecords(client, asked, folder, smallest, seed, emptyTally());
  const path = join(keep, `${client.key}-${String(seed)}.jsonl`);
  writeRecords(path, smallest);
  say(`    smallest: ${path} ${JSON.stringify(finding?.case)} ${finding?.what ?? ''}`);
}

async function realistic(client: Client, asked: ClientProcess, folder: string): Promise<Tally> {
  const tally = emptyTally();
  for (const path of await realisticSessions(folder, client.key === 'oh-my-pi' ? 'musepi' : 'pi')) {
    const records = readFileSync(path, 'utf8').trimEnd().split('\n');
    const entries = records.map((line) => JSON.parse(line) as Body).filter((record) => typeof record['parentId'] !== 'undefined');
    const cases = casesFor(client, leavesOf(entries, new Random(1)));
    const findings = await testFile(path, client, asked, cases, tally, { manager: true });
    tally.sessions++;
    for (const { case: one, what } of findings.slice(0, 2)) say(`  ${path} ${JSON.stringify(one)} ${what}`);
  }
  return tally;
}

function line(title: string, what: string, tally: Tally): string {
  const errors = tally.clientErrors === 0 ? '' : `, ${String(tally.clientErrors)} where the client throws`;
  const { sessions, leaves, equal, different } = tally;
  return `${title}, ${what}: ${String(sessions)} sessions, ${String(leaves)} contexts, ${String(equal)} equal, ${String(different)} different${errors}`;
}

async function run(client: Client): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'stemma-interop-run-'));
  let asked: ClientProcess | null = null;
  try {
    asked = new ClientProcess(prepareClient(client, join(import.meta.dirname, 'drivers')), folder);
    const generated = await generatedSessions(client, asked, folder);
    say(line(client.title, 'generated', generated));
    let different = generated.different;
    if (client.key !== 'pi-old') {
      const real = await realistic(client, asked, folder);
      say(line(client.title, 'realistic', real));
      different += real.different;
    }
    return different === 0;
  } catch (error) {
    say(`${client.title}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    asked?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

let fine = true;
for (const client of CLIENTS) {
  if (values.client === undefined || values.client === client.key) fine = (await run(client)) && fine;
}
process.exitCode = fine ? 0 : 1;
