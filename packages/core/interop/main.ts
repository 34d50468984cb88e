/**
 * Compares our contexts with those of the real clients. `--client KEY` one of them, `--sessions N` how many generated
 * sessions (500), `--from SEED` the first seed, `--keep DIR` where the smallest sessions that differ are written,
 * `--record` writes the findings' samples instead, `--no-install` uses only what is installed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { Campaign } from './campaign.ts';
import { ClientProcess } from './client-process.ts';
import { CLIENTS, prepareClient, type Client } from './clients.ts';
import { recordFindings } from './record.ts';
import type { Tally } from './session-test.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== '--'),
  options: {
    client: { type: 'string' },
    sessions: { type: 'string', default: '500' },
    from: { type: 'string', default: '1' },
    keep: { type: 'string' },
    record: { type: 'boolean', default: false },
    'no-install': { type: 'boolean', default: false },
  },
});

const SAMPLES = join(import.meta.dirname, '..', 'test', 'samples', 'clients');

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

function report(title: string, what: string, tally: Tally): boolean {
  const errors = tally.clientErrors === 0 ? '' : `, ${String(tally.clientErrors)} where the client throws`;
  const { sessions, leaves, contexts, equal, different } = tally;
  const counts = `${String(sessions)} sessions, ${String(leaves)} leaves, ${String(contexts)} contexts`;
  say(`${title}, ${what}: ${counts}, ${String(equal)} equal, ${String(different)} different${errors}`);
  return different === 0;
}

async function run(client: Client): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'stemma-interop-run-'));
  let asked: ClientProcess | null = null;
  try {
    const installed = prepareClient(client, join(import.meta.dirname, 'drivers'), !values['no-install']);
    asked = new ClientProcess(installed, folder);
    if (values.record) {
      say(`${client.title}: ${String(await recordFindings(client, asked, SAMPLES))} samples written`);
      return true;
    }
    const campaign = new Campaign(client, asked, folder, say, values.keep ?? null);
    const generated = await campaign.generated(Number(values.from), Number(values.sessions));
    const realistic = await campaign.realistic();
    const fine = report(client.title, 'generated', generated);
    return report(client.title, 'realistic', realistic) && fine;
  } catch (error) {
    // A client that is missing, or that ended: its sentence, then the next client.
    say(`${client.title}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    asked?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const chosen = CLIENTS.filter(({ key }) => values.client === undefined || values.client === key);
if (chosen.length === 0) say(`There is no client ${String(values.client)}: ${CLIENTS.map(({ key }) => key).join(', ')}.`);
let fine = chosen.length > 0;
for (const client of chosen) fine = (await run(client)) && fine;
process.exitCode = fine ? 0 : 1;
