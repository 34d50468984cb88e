import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import {
  buildSessionContext,
  explainContext,
  loadEntriesFromFile,
  migrateSessionEntries,
  openRoot,
  readSession,
  type AgentMessage,
} from '../../src/index.ts';
import { absent, sharedData } from '../support/shared-data.ts';

const PI = sharedData('pi');
const CLIENTS = sharedData('real-clients');

function counts(names: readonly string[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const name of names) found[name] = (found[name] ?? 0) + 1;
  return found;
}

const roles = (messages: readonly AgentMessage[]): Record<string, number> => counts(messages.map((message) => message.role));

describe.skipIf(PI === null)(`a real session of version 1${absent(PI)}`, () => {
  const file = path.join(PI ?? '', 'pi-v1-before-compaction.jsonl');

  it('has its 1,002 entries and 2 compactions, without a problem', async () => {
    const { header, entries, problems } = await readSession(file);
    expect([entries.length, problems]).toEqual([1002, []]);
    expect(entries.filter((entry) => entry.type === 'compaction')).toHaveLength(2);
    expect([entries[0]?.id, entries[1001]?.id, entries[1001]?.parentId]).toEqual(['00000001', '000003ea', '000003e9']);
    expect(typeof header?.branchedFrom).toBe('string');
  });

  it('gives Pi its 446 messages (Pi worked case 22)', async () => {
    const { entries } = await readSession(file);
    const { messages } = buildSessionContext(entries, undefined, undefined, { rules: 'pi' });
    expect(messages).toHaveLength(446);
    expect(roles(messages)).toEqual({ compactionSummary: 1, user: 31, assistant: 219, toolResult: 192, bashExecution: 3 });
  });

  it('gives MusePi 439: aborted and failed turns are left out, as the file itself says', async () => {
    const { entries } = await readSession(file);
    const { messages } = buildSessionContext(entries);
    expect(messages).toHaveLength(439);
    expect(roles(messages)).toEqual({ compactionSummary: 1, user: 31, assistant: 212, toolResult: 192, bashExecution: 3 });
    const verdicts = explainContext(entries);
    const dropped = verdicts.filter((verdict) => verdict.status === 'dropped');
    expect(counts(dropped.map((verdict) => verdict.reason ?? ''))).toEqual({ aborted_turn: 6, error_turn: 1 });
    // Counted in the file, without any rule: how the turns that Pi sends have ended.
    const sent = explainContext(entries, undefined, { rules: 'pi' })
      .filter((verdict) => verdict.status === 'sent')
      .map((verdict) => verdict.id);
    const stops = sent.flatMap((id) => {
      const entry = entries[Number.parseInt(id, 16) - 1] as { message?: { stopReason?: string } };
      return entry.message?.stopReason ?? [];
    });
    expect(counts(stops)).toMatchObject({ aborted: 6, error: 1 });
  });

  it('is migrated to the entries that the reader answers', async () => {
    const { entries } = migrateSessionEntries(loadEntriesFromFile(file));
    expect(entries.slice(1)).toEqual((await readSession(file)).entries);
  });
});

describe.skipIf(PI === null)(`a folder of small and odd files${absent(PI)}`, () => {
  it('is listed whole, each with what it is', async () => {
    const root = await openRoot({ path: PI! });
    const { sessions, problems } = await root.scan();
    expect(problems).toEqual([]);
    expect(sessions).toHaveLength(readdirSync(PI!).length);
    const rows = await Promise.all(sessions.map(async (file) => ({ name: file.relativePath, ...(await root.summarise(file)) })));
    expect(rows.filter((row) => !row.isSession)).toEqual([]);
    const of = (part: string): (typeof rows)[number] => rows.find((row) => row.name.includes(part))!;
    expect(of('own__title')).toMatchObject({ title: 'T', entryCount: 0 });
    expect(of('own__onlyts')).toMatchObject({ id: 'Q', cwd: '/p', created: null });
    expect(of('own__torn')).toMatchObject({ entryCount: 1, problems: [{ code: 'torn_tail' }] });
    expect(of('over-threshold')).toMatchObject({ hasHeader: false, entryCount: 3 });
    expect(of('agentsview')).toMatchObject({ entryCount: 9, compactionCount: 1, problems: [{ code: 'bad_json', line: 10 }] });
    expect(of('specstory')).toMatchObject({ branchCount: 2, entryCount: 5 });
    expect(of('obelisk').shapes.id).toBe('musepi');
    expect(of('four-back-to-back')).toMatchObject({ compactionCount: 4 });
  });

  it('gives every file a context by both rules, and the name that Pi clears is cleared', async () => {
    const root = await openRoot({ path: PI!, dialect: 'pi' });
    for (const file of (await root.scan()).sessions) {
      const { entries } = await readSession(file.path);
      for (const rules of ['pi', 'musepi'] as const)
        expect(explainContext(entries, undefined, { rules })).toHaveLength(entries.length);
      if (file.relativePath.includes('noname')) expect((await root.summarise(file)).title).toBeNull();
    }
  });
});

describe.skipIf(CLIENTS === null)(`three real clients that wrote the same story${absent(CLIENTS)}`, () => {
  const agents = { 'pi-1.6.0': 'pi', 'pi-0.73.1': 'pi', 'oh-my-pi-18.2.3': 'musepi' } as const;

  async function look(
    agent: string,
  ): Promise<{ shapes: string; story: unknown; title: string | null; types: Record<string, number>; parents: number }> {
    const root = await openRoot({ path: path.join(CLIENTS!, agent, 'agent') });
    const { sessions, problems } = await root.scan();
    expect([sessions.length, problems]).toEqual([1, []]);
    const summary = await root.summarise(sessions[0]!);
    expect(summary.problems).toEqual([]);
    const { entries } = await readSession(sessions[0]!.path);
    return {
      shapes: summary.shapes.id,
      title: summary.title,
      types: counts(entries.map((entry) => entry.type)),
      parents: new Set(entries.map((entry) => entry.parentId)).size,
      story: {
        compactions: summary.compactionCount,
        branches: summary.branchCount,
        labels: summary.labels,
        first: summary.firstPrompt,
      },
    };
  }

  it.each(Object.entries(agents))('%s is read as %s, with the name that was given', async (agent, shapes) => {
    const found = await look(agent);
    expect([found.shapes, typeof found.title]).toEqual([shapes, 'string']);
  });

  it('tell the same branches, labels and compactions', async () => {
    const [one, two, three] = await Promise.all(Object.keys(agents).map(look));
    expect(one!.story).toEqual(two!.story);
    expect(one!.types).toEqual(two!.types);
    expect(three!.story).toEqual(one!.story);
    expect(one!.story).toMatchObject({ compactions: 1, branches: 3 });
    expect(three!.title).toBe(one!.title);
    const same = ['label', 'compaction', 'branch_summary', 'model_change', 'thinking_level_change'];
    for (const type of same) expect(three!.types[type]).toBe(one!.types[type]);
    // oh-my-pi was given one prompt more, and has entry types of its own.
    expect([one!.types['message'], three!.types['message']]).toEqual([23, 24]);
    expect(three!.types).toMatchObject({ title_change: 1, mode_change: 1, service_tier_change: 1 });
  });

  it('give the same messages to a model, but for the prompt that oh-my-pi was given more', async () => {
    const talk = await Promise.all(
      Object.keys(agents).map(async (agent) => {
        const root = await openRoot({ path: path.join(CLIENTS!, agent, 'agent') });
        const { entries } = await readSession((await root.scan()).sessions[0]!.path);
        return buildSessionContext(entries, undefined, undefined, { rules: root.hint!.id }).messages.map(
          (message) => message.role,
        );
      }),
    );
    expect(talk[1]).toEqual(talk[0]);
    expect(talk[2]).toEqual([...talk[0]!, 'user']);
  });

  it('have their images, inline and as blobs', async () => {
    const root = await openRoot({ path: path.join(CLIENTS!, 'oh-my-pi-18.2.3', 'agent') });
    const file = (await root.scan()).sessions[0]!;
    const hashes = new Set(readFileSync(file.path, 'utf8').match(/(?<=blob:sha256:)[0-9a-f]{64}/g));
    expect(hashes.size).toBe(1);
    for (const hash of hashes) expect((await root.blob(hash))?.length).toBe(1500);
  });
});
