import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { buildSessionContext, openRoot, readSession, type ContextRules, type SessionEntry } from '../../src/index.ts';
import { briefMessage } from '../support/brief.ts';

const FROZEN = path.resolve(import.meta.dirname, '../../fixtures/frozen');

/** These files stand for what people have on their disks: bytes that change here would be a test of something else. */
const HASHES: Record<string, string> = {
  'musepi-legacy/2026-01-15T12-00-00-000Z_c4fe0123456789ab.jsonl':
    'f448b2a55c44442f913a3df4d7f5abeb03433ccc38b2737720ba713fb23ec2a2',
  'musepi-v3/agent/blobs/480b94b7596914761da25252a778f0d725f84fa10242b9e77fdb9628a329b35e':
    '480b94b7596914761da25252a778f0d725f84fa10242b9e77fdb9628a329b35e',
  'musepi-v3/agent/sessions/-timetable/2026-08-20T16-05-00-000Z_0198c7aa.jsonl':
    'f118ea97d2598f38f6b79e1e7fecd9b33742568f8cd809306eb4bec554a7816b',
  'pi-v1/2025-11-03T14-20-00-000Z_3d5b8f60.jsonl': '054004fe4335257cf9a2ff9cf4dc198e37b98614f3c081faafda7c1ac2b18ddb',
  'pi-v2/2025-12-01T09-00-00-000Z_52a1.jsonl': 'd9e2871fcd5bd6cd1bf97d7b614bb0564695f75c37efd6b57fa8d8e13d48e5ec',
  'pi-v3/2026-10-05T07-30-00-000Z_0199b2c4.jsonl': 'a4d508d64f2261c100f6941de8979a469f3557056918b96261988874b9a4a4ea',
};

const found = readdirSync(FROZEN, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== 'README.md')
  .map((entry) => path.relative(FROZEN, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));

describe('frozen sessions', () => {
  it('are all known here', () => {
    expect(found.sort()).toEqual(Object.keys(HASHES).sort());
  });

  it.each(Object.entries(HASHES))('%s has the bytes that it always had', (name, hash) => {
    expect(
      createHash('sha256')
        .update(readFileSync(path.join(FROZEN, name)))
        .digest('hex'),
    ).toBe(hash);
  });
});

async function entriesOf(folder: string): Promise<SessionEntry[]> {
  const name = Object.keys(HASHES).find((each) => each.startsWith(folder) && each.endsWith('.jsonl'))!;
  const { entries, problems } = await readSession(path.join(FROZEN, name));
  expect(problems).toEqual([]);
  return entries;
}

async function summaryOf(folder: string): Promise<Record<string, unknown>> {
  const root = await openRoot({ path: path.join(FROZEN, folder), dialect: folder.startsWith('pi') ? 'pi' : 'musepi' });
  const { sessions, problems } = await root.scan();
  expect([sessions.length, problems]).toEqual([1, []]);
  return { ...(await root.summarise(sessions[0]!)) };
}

const messages = (entries: SessionEntry[], rules: ContextRules, leaf?: string): string[] =>
  buildSessionContext(entries, leaf, undefined, { rules }).messages.map(briefMessage);

describe('Pi, version 1', () => {
  it('gets ids from its record numbers, and the kept index becomes one', async () => {
    const entries = await entriesOf('pi-v1');
    expect(entries.map((entry) => entry.id)).toEqual(
      ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'a'].map((digit) => `0000000${digit}`),
    );
    expect(entries[6]).toMatchObject({ type: 'compaction', parentId: '00000006', firstKeptEntryId: '00000006' });
  });

  it('has the context that Pi would send', async () => {
    const entries = await entriesOf('pi-v1');
    expect(messages(entries, 'pi')).toEqual([
      'compactionSummary: Station 7 (Harbour) reports no wind speed; the list has three lines.',
      'bashExecution: wc -l data/stations.csv',
      'user: Fill the gap with the mean of its neighbours.',
      'assistant: Done: 12 from Hill.',
    ]);
    expect(buildSessionContext(entries, undefined, undefined, { rules: 'pi' })).toMatchObject({
      thinkingLevel: 'high',
      model: { provider: 'acme', modelId: 'large-2' },
    });
  });

  it('is listed with the file that it was branched from', async () => {
    expect(await summaryOf('pi-v1')).toMatchObject({
      cwd: '/home/ann/weather',
      firstPrompt: 'Which stations report no wind speed?',
      parentSession: expect.stringContaining('11111111') as string,
      entryCount: 10,
      messageCount: 7,
      compactionCount: 1,
      status: 'complete',
    });
  });
});

describe('Pi, version 2', () => {
  it('keeps its ids; a hook message is a custom one', async () => {
    const entries = await entriesOf('pi-v2');
    expect(entries.map((entry) => entry.id)).toEqual(['0c0ffee1', '0c0ffee2', '0c0ffee3', '0c0ffee4', '0c0ffee5']);
    expect(messages(entries, 'pi', '0c0ffee3')[1]).toBe('custom(lint): 2 warnings in shuffle.ts');
    expect(messages(entries, 'pi')).toEqual([
      'user: Shuffle must be fair. Check it.',
      'branchSummary(0c0ffee1): Fisher-Yates was written on the other branch.',
      'user: Only write the test first.',
    ]);
  });
});

describe('Pi 1.x', () => {
  it('sends the system prompt of the boundary first, and nothing that the compaction folded', async () => {
    expect(messages(await entriesOf('pi-v3'), 'pi')).toEqual([
      'system: ',
      'compactionSummary: Tomatoes are watered in the morning; the question is about beans now.',
      'custom(weather): Rain is expected at noon.',
      'assistant: Not today: it will rain.',
    ]);
  });

  it('sends edited content and aborted turns on the branch that was left', async () => {
    expect(messages(await entriesOf('pi-v3'), 'pi', '7f00000a')).toEqual([
      'system: ',
      'user: When do I water the tomatoes? 🍅 + <image>',
      'assistant: <thinking signed: The soil looks dry.> + In the morning. + <call call_w>',
      'toolResult(call_w): (notes read)',
      'assistant: <nothing>',
    ]);
  });

  it('is listed under its name, with label and lineage', async () => {
    expect(await summaryOf('pi-v3')).toMatchObject({
      title: 'Watering plan',
      labels: ['tomatoes'],
      branchCount: 2,
      parentSession: expect.stringContaining('0199af00') as string,
    });
  });
});

describe('MusePi', () => {
  it('sends only what follows a reset', async () => {
    const entries = await entriesOf('musepi-v3');
    expect(messages(entries, 'musepi')).toEqual(['developer: The clock is 24-hour.', 'user: And on Sundays?']);
    expect(buildSessionContext(entries)).toMatchObject({
      thinkingLevel: 'low',
      models: { default: 'acme/large-2', smol: 'acme/small-1' },
      serviceTier: { openai: 'flex' },
      injectedTtsrRules: ['24-hour-clock'],
      mode: 'plan',
      modeData: { planFile: 'plan.md' },
    });
  });

  it('keeps a failed turn that an interruption note follows, and takes out an unanswered call', async () => {
    const entries = await entriesOf('musepi-v3');
    expect(messages(entries, 'musepi', '5ea5000c')).toEqual([
      'compactionSummary: N8 leaves at 23:50; the picture was read in part.',
      'assistant: It leaves at 23',
      'custom(interrupted-thinking) by agent: The answer broke off.',
    ]);
    expect(messages(entries, 'musepi', '5ea50006').slice(1)).toEqual([
      'assistant: Looking. + <call c1>',
      'toolResult(c1): N8,23:50',
    ]);
    expect(messages(entries, 'musepi', '5ea5000d')).toEqual(['user: Read the last departures from this picture. + <image>']);
  });

  it('is listed under the title of its slot, and its blob is found', async () => {
    expect(await summaryOf('musepi-v3/agent')).toMatchObject({
      title: 'Night buses 夜行巴士',
      branchCount: 2,
      cwd: '/home/ann/timetable',
    });
    const root = await openRoot({ path: path.join(FROZEN, 'musepi-v3/agent') });
    const hash = path.basename(Object.keys(HASHES).find((name) => name.includes('/blobs/'))!);
    expect(new TextDecoder().decode(await root.blob(hash))).toBe('These bytes stand for a picture of a timetable.\n');
  });
});

describe('MusePi before the title slot', () => {
  it('is read with its tier in one word, its title in the header, its hook message as a custom one', async () => {
    const entries = await entriesOf('musepi-legacy');
    expect(buildSessionContext(entries).serviceTier).toEqual({ openai: 'priority' });
    expect(messages(entries, 'musepi', 'bead0006')).toEqual([
      'user: Convert the bread recipe to grams.',
      'custom(units): 1 cup of flour = 120 g',
    ]);
    expect(await summaryOf('musepi-legacy')).toMatchObject({
      title: 'Bread',
      id: 'c4fe0123456789ab',
      labels: ['units'],
      branchCount: 2,
    });
  });
});
