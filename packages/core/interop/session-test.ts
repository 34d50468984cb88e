import { writeFileSync } from 'node:fs';

import {
  buildSessionContext,
  explainContext,
  loadEntriesFromFile,
  migrateSessionEntries,
  readSession,
  type ContextOptions,
  type SessionEntry,
} from '@stemma/core';

import type { Case, ClientProcess } from './client-process.ts';
import type { Client } from './clients.ts';
import { firstDifference, normalise } from './compare.ts';
import { dressed, type Dress } from './dress.ts';
import { lensContradiction } from './lens.ts';
import type { Body } from './writer.ts';

export interface Tally {
  sessions: number;
  leaves: number;
  contexts: number;
  equal: number;
  different: number;
  /** Cases in which the client threw an error; ours must answer. */
  clientErrors: number;
}

export function emptyTally(): Tally {
  return { sessions: 0, leaves: 0, contexts: 0, equal: 0, different: 0, clientErrors: 0 };
}

export interface Finding {
  case: Case;
  what: string;
}

const DISPLAY: NonNullable<Case['options']>[] = [
  { transcript: true },
  { transcript: true, collapseCompactedHistory: true },
  { transcript: true, keepDanglingToolCalls: true },
  { transcript: true, collapseCompactedHistory: true, keepDanglingToolCalls: true },
];

/** What is asked at each leaf: the model's view, and the transcripts where the client has them. */
export function casesFor(client: Client, leaves: readonly (string | null | undefined)[]): Case[] {
  const options: Case['options'][] = client.key === 'oh-my-pi' ? [undefined, ...DISPLAY] : [undefined];
  return leaves.flatMap((leaf) =>
    options.map((display) => ({
      ...(leaf === undefined ? {} : { leaf }),
      ...(display === undefined ? {} : { options: display }),
    })),
  );
}

/** Reads one file on both sides and compares every case. Answers what differs. */
export async function testFile(
  path: string,
  client: Client,
  asked: ClientProcess,
  cases: readonly Case[],
  tally: Tally,
  { lens = false } = {},
): Promise<Finding[]> {
  const theirs = await asked.ask(path, cases);
  const { entries } = await readSession(path);
  const stored = loadStored(path);
  const rules = client.key === 'oh-my-pi' ? 'musepi' : 'pi';
  const findings: Finding[] = [];
  for (const [i, one] of cases.entries()) {
    const result = theirs[i]!;
    const options: ContextOptions = { ...one.options, rules };
    const ours = [
      buildSessionContext(stored, one.leaf, undefined, options),
      buildSessionContext(entries, lastNumbered(entries, one.leaf), undefined, options),
    ];
    tally.contexts++;
    if (one.options === undefined) tally.leaves++;
    if (result.error !== undefined) {
      tally.clientErrors++;
      continue;
    }
    const expected = normalise(result.context, client.key);
    const [difference = null] = ours
      .map((context) => firstDifference(normalise(context as unknown as Body, client.key), expected))
      .filter((found) => found !== null);
    const what = difference ?? (lens && one.options === undefined ? contradiction(entries, one, options, result.context) : null);
    if (what === null) tally.equal++;
    else {
      tally.different++;
      findings.push({ case: one, what });
    }
  }
  return findings;
}

function contradiction(entries: SessionEntry[], one: Case, options: ContextOptions, theirs: Body): string | null {
  return lensContradiction(entries, explainContext(entries, one.leaf, options), theirs['messages'] as Body[]);
}

/** The entries as they are stored: ids repeat there. */
function loadStored(path: string): SessionEntry[] {
  const { entries } = migrateSessionEntries(loadEntriesFromFile(path));
  return entries.filter((entry): entry is SessionEntry => entry.type !== 'session');
}

/** A repeated id means its last record, which `readSession` has numbered. */
function lastNumbered(entries: readonly SessionEntry[], leaf: string | null | undefined): string | null | undefined {
  if (typeof leaf !== 'string' || leaf === '') return leaf;
  return entries.findLast(({ id }) => id === leaf || id.startsWith(`${leaf}~`))?.id ?? leaf;
}

export function writeRecords(path: string, records: readonly Body[], dress: Dress): void {
  writeFileSync(path, dressed(records, dress));
}

export function hasRepeatedIds(records: readonly Body[]): boolean {
  return new Set(records.map((record) => record['id'])).size < records.length;
}
