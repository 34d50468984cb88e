import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ClientProcess } from './client-process.ts';
import type { Client } from './clients.ts';
import { normalise } from './compare.ts';
import { PLAIN } from './dress.ts';
import { FINDINGS, recordsOf } from './findings.ts';
import { writeRecords } from './session-test.ts';

/** Asks the client for every finding and writes the answers as samples, which tests replay without any client. */
export async function recordFindings(client: Client, asked: ClientProcess, samples: string): Promise<number> {
  const findings = FINDINGS.filter((finding) => finding.client === client.key);
  for (const finding of findings) {
    const folder = join(samples, finding.name);
    const path = join(folder, 'input.jsonl');
    mkdirSync(folder, { recursive: true });
    writeRecords(path, recordsOf(finding), PLAIN);
    const [result] = await asked.ask(path, [finding.case ?? {}]);
    if (result?.context === undefined) throw new Error(`${finding.name}: the client throws ${result?.error ?? ''}`);
    const options = { rules: client.key === 'oh-my-pi' ? 'musepi' : 'pi', ...finding.case?.options };
    writeJson(join(folder, 'options.json'), options);
    writeJson(join(folder, 'expected.json'), { source: client.title, result: normalise(result.context, client.key) });
  }
  return findings.length;
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
