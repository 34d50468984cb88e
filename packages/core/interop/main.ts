/**
 * Compares our contexts with those of the real clients. `--client KEY` one of them, `--sessions N` how many generated
 * sessions (500), `--from SEED` the first seed, `--keep DIR` where the smallest sessions that differ are written,
 * `--writing` only the sessions that both sides write in turns (60), `--history` only the prompt histories (100),
 * `--dsh` only the logs that the store of DeepSeek Harness writes (150),
 * `--record` writes the findings' samples instead, `--no-install` uses only what is installed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { Campaign } from './campaign.ts';
import { ClientProcess } from './client-process.ts';
import { CLIENTS, prepareClient, prepareHarness, type Client, type Driver, type InstalledClient } from './clients.ts';
import { HarnessCampaign } from './dsh/campaign.ts';
import { HistoryCampaign } from './history/campaign.ts';
import { recordHistory } from './history/record.ts';
import { ListingCampaign } from './listing/campaign.ts';
import { recordFindings } from './record.ts';
import type { Tally } from './session-test.ts';
import { WritingCampaign } from './writing/campaign.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== '--'),
  options: {
    client: { type: 'string' },
    sessions: { type: 'string', default: '500' },
    from: { type: 'string', default: '1' },
    keep: { type: 'string' },
    record: { type: 'boolean', default: false },
    writing: { type: 'boolean', default: false },
    history: { type: 'boolean', default: false },
    dsh: { type: 'boolean', default: false },
    'no-install': { type: 'boolean', default: false },
  },
});

const SAMPLES = join(import.meta.dirname, '..', 'test', 'samples', 'clients');

const HISTORY_SAMPLES = join(import.meta.dirname, '..', 'test', 'history', 'samples');

const DRIVERS = join(import.meta.dirname, 'drivers');

const WRITTEN_SESSIONS = 60;
const HISTORIES = 50;
const HARNESS_LOGS = 150;

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

function report(title: string, what: string, tally: Tally): boolean {
  const errors = tally.clientErrors === 0 ? '' : `, ${String(tally.clientErrors)} where the client throws`;
  const { sessions, leaves, contexts, equal, different } = tally;
  const counts = `${String(sessions)} sessions, ${String(leaves)} leaves, ${String(contexts)} contexts`;
  say(`${title}, ${what}: ${counts}, ${String(equal)} equal, ${String(different)} different${errors}`);
  return different === 0;
}

type Work = (asked: ClientProcess, folder: string) => Promise<boolean>;

const withClient = (client: Client, driver: Driver, work: Work): Promise<boolean> =>
  withProcess(client.title, () => prepareClient(client, DRIVERS, !values['no-install'], driver), work);

/** Gives a client with an empty folder to `work`. False where it is missing, or ended. */
async function withProcess(title: string, prepare: () => Pick<InstalledClient, 'command'>, work: Work): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'stemma-interop-run-'));
  let asked: ClientProcess | null = null;
  try {
    asked = new ClientProcess(prepare(), folder);
    return await work(asked, folder);
  } catch (error) {
    // Its sentence, then the next client.
    say(`${title}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    asked?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const runReading = (client: Client): Promise<boolean> =>
  withClient(client, 'reading', async (asked, folder) => {
    if (values.record) {
      say(`${client.title}: ${String(await recordFindings(client, asked, SAMPLES))} samples written`);
      return true;
    }
    const campaign = new Campaign(client, asked, folder, say, values.keep ?? null);
    const generated = await campaign.generated(Number(values.from), Number(values.sessions));
    const realistic = await campaign.realistic();
    const fine = report(client.title, 'generated', generated);
    return report(client.title, 'realistic', realistic) && fine;
  });

/** Both sides list the same folders, and find what somebody resumes. */
const runListing = (client: Client): Promise<boolean> =>
  withClient(client, 'listing', async (asked, folder) => {
    const { sessions, compared, different } = await new ListingCampaign(client, asked, folder, say).run(Number(values.from));
    say(`${client.title}, listed: ${String(sessions)} sessions, ${String(compared)} compared, ${String(different)} different`);
    return different === 0;
  });

/** Both sides write the same sessions in turns. */
const runWriting = (client: Client): Promise<boolean> =>
  withClient(client, 'writing', async (asked, folder) => {
    const campaign = new WritingCampaign(client, asked, folder, say);
    const { sessions, compared, equal, different } = await campaign.run(Number(values.from), WRITTEN_SESSIONS);
    const counts = `${String(sessions)} sessions, ${String(compared)} times opened on both sides`;
    say(`${client.title}, written in turns: ${counts}, ${String(equal)} equal, ${String(different)} different`);
    return different === 0;
  });

/** Both sides write the same prompt histories in turns, and search them. */
const runHistory = (client: Client): Promise<boolean> =>
  withClient(client, 'history', async (asked, folder) => {
    if (values.record) {
      await recordHistory(client, asked, join(HISTORY_SAMPLES, client.folder));
      return true;
    }
    const tally = await new HistoryCampaign(asked, folder, say).run(Number(values.from), HISTORIES);
    const { databases, answers, equal, different } = tally;
    const counts = `${String(databases)} databases, ${String(answers)} answers`;
    say(`${client.title}, prompt history: ${counts}, ${String(equal)} equal, ${String(different)} different`);
    return different === 0;
  });

/** The harness's store writes logs; ours reads them, and lays its own ones out like them. */
const runHarness = (): Promise<boolean> =>
  withProcess(
    'DeepSeek Harness 0.1.0-rc.8',
    () => prepareHarness(DRIVERS, !values['no-install']),
    async (asked, folder) => {
      const { logs, events, frames, different } = await new HarnessCampaign(asked, folder, say).run(
        Number(values.from),
        HARNESS_LOGS,
      );
      const counts = `${String(logs)} logs, ${String(events)} events, ${String(frames)} frames`;
      say(`DeepSeek Harness 0.1.0-rc.8: ${counts}, ${String(different)} different`);
      return different === 0;
    },
  );

const chosen = CLIENTS.filter(({ key }) => values.client === undefined || values.client === key);
if (chosen.length === 0) say(`There is no client ${String(values.client)}: ${CLIENTS.map(({ key }) => key).join(', ')}.`);
let fine = chosen.length > 0;
const { dsh, record, writing, history } = values;
if (dsh || (values.client === undefined && !record && !writing && !history)) fine = (await runHarness()) && fine;
for (const client of dsh ? [] : chosen) {
  if (!writing && !history) fine = (await runReading(client)) && fine;
  if (!record && !writing && !history) fine = (await runListing(client)) && fine;
  if (!record && !history) fine = (await runWriting(client)) && fine;
  if (!writing && client.hasHistory) fine = (await runHistory(client)) && fine;
}
process.exitCode = fine ? 0 : 1;
