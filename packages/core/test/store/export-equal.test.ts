import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { SessionManager } from '../../src/manager/session-manager.ts';
import { shapesFor } from '../../src/shapes/registry.ts';
import { DiskSessionStorage } from '../../src/storage/disk-storage.ts';
import { BucketSessionStore } from '../../src/store/bucket-store.ts';
import { convertSession } from '../../src/store/convert.ts';
import { exportLog } from '../../src/store/export-log.ts';
import { MemorySessionStore } from '../../src/store/memory-store.ts';
import { ProjectSessionStore } from '../../src/store/project-store.ts';
import type { SessionStore } from '../../src/store/session-store.ts';
import { collected } from '../../src/testing/store-fixture.ts';

type Dialect = 'musepi' | 'pi';
type Step = (manager: SessionManager) => unknown;

const CWD = '/work/app';
const ID = 'one-session';

const disk = (): MemoryDisk => {
  const made = new MemoryDisk();
  made.mkdirSync(CWD);
  return made;
};
const facts = { home: '/home/ann', temp: '/tmp', windows: false };

const STORES: Record<string, (dialect: Dialect) => SessionStore> = {
  buckets: (dialect) =>
    new BucketSessionStore({ agentDir: '/agent', storage: new DiskSessionStorage(disk()), shapes: shapesFor(dialect), facts }),
  'project directories, raw': (dialect) =>
    new ProjectSessionStore({
      root: '/root',
      encoding: 'raw',
      storage: new DiskSessionStorage(disk()),
      shapes: shapesFor(dialect),
    }),
  'project directories, compressed': (dialect) =>
    new ProjectSessionStore({
      root: '/root',
      encoding: 'zstd',
      storage: new DiskSessionStorage(disk()),
      shapes: shapesFor(dialect),
    }),
  memory: (dialect) => new MemorySessionStore({ shapes: shapesFor(dialect) }),
};

/** A clock and ids that say the same in every store. */
function deterministic(): { now: () => number; newId: () => string } {
  let [time, id] = [Date.UTC(2026, 0, 1), 0];
  return { now: () => (time += 7), newId: () => (++id).toString(16).padStart(8, '0') };
}

/** Does the same to a session in each store. Answers what each of them exports. */
async function exportsOf(dialect: Dialect, steps: readonly Step[]): Promise<Record<string, string>> {
  const logs: Record<string, string> = {};
  for (const [name, make] of Object.entries(STORES)) {
    const options = { store: make(dialect), dialect, sessionId: ID, ...deterministic() };
    let manager = SessionManager.create(CWD, undefined, options);
    for (const step of [(one: SessionManager) => one.appendMessage(answer('first')), ...steps]) {
      if (step !== reopen) await step(manager);
      else {
        await manager.close();
        manager = SessionManager.open(ID, undefined, undefined, options);
      }
    }
    await manager.close();
    logs[name] = await exportedFrom(options.store);
  }
  return logs;
}

async function exportedFrom(store: SessionStore): Promise<string> {
  const handle = await store.open(ID, 'read');
  const bytes = await collected(exportLog(handle));
  await handle.close();
  return Buffer.from(bytes).toString('utf8');
}

/** A mark for `exportsOf`. */
const reopen: Step = () => undefined;
const answer = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }], stopReason: 'stop', timestamp: 1 });
const image = (seed: string) => ({
  role: 'user',
  content: [{ type: 'image', mimeType: 'image/png', data: Buffer.from(seed.repeat(900)).toString('base64') }],
});

const text = fc.string({ unit: fc.constantFrom('a', 'Ω', '😀', '"', '\n', '\u2028', ' '), maxLength: 10 });
const step: fc.Arbitrary<Step> = fc.oneof(
  text.map(
    (content): Step =>
      (one) =>
        one.appendMessage({ role: 'user', content, timestamp: 2 }),
  ),
  text.map(
    (said): Step =>
      (one) =>
        one.appendMessage(answer(said)),
  ),
  fc.constantFrom('x', 'yz').map(
    (seed): Step =>
      (one) =>
        one.appendMessage(image(seed)),
  ),
  text.map(
    (label): Step =>
      (one) =>
        one.appendLabelChange(one.getEntries()[0]!.id, label),
  ),
  text.map(
    (name): Step =>
      (one) =>
        one.setSessionName(name, 'user'),
  ),
  fc.nat({ max: 50 }).map(
    (at): Step =>
      (one) =>
        one.branch(one.getEntries()[at % one.getEntries().length]!.id),
  ),
  fc.constant<Step>((one) => one.appendCustomEntry('long', { text: 'l'.repeat(200_000) })),
  fc.constant<Step>((one) => one.rewriteEntries()),
  fc.constant<Step>((one) => one.rewriteEntries(one.getEntries().map((entry) => ({ ...entry })))),
  fc.constant(reopen),
);

describe.each(['musepi', 'pi'] as const)('one session of %s in four stores', (dialect) => {
  it('is one export, whatever was done to it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const logs = await exportsOf(dialect, steps);
        const [first] = Object.values(logs);
        expect(logs).toEqual(Object.fromEntries(Object.keys(STORES).map((name) => [name, first])));
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it('is its header and a line for each entry, contents that are kept apart by their names', async () => {
    const logs = await exportsOf(dialect, [
      (one) => one.appendMessage(image('pixel')),
      (one) => one.setSessionName('Name', 'user'),
      reopen,
      (one) => one.appendMessage(answer('more')),
    ]);
    const lines = logs['project directories, compressed']!.split('\n');
    expect(lines.pop()).toBe('');
    const [header, ...entries] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(header).toMatchObject({ type: 'session', version: 3, id: ID, cwd: CWD });
    expect(entries.map(({ type }) => type)).toEqual([
      'message',
      'message',
      dialect === 'pi' ? 'session_info' : 'title_change',
      'message',
    ]);
    expect(/"blob:sha256:[0-9a-f]{64}"/.test(lines[2]!)).toBe(dialect === 'musepi');
    expect(new Set(Object.values(logs)).size).toBe(1);
  });
});

it('is the same export after the session was converted, there and back', async () => {
  const storage = new DiskSessionStorage(disk());
  const store = new ProjectSessionStore({ root: '/root', encoding: 'raw', storage });
  const manager = SessionManager.create(CWD, undefined, { store, sessionId: ID, ...deterministic() });
  manager.appendMessage(image('pixel'));
  manager.appendMessage(answer('seen'));
  await manager.close();
  const before = await exportedFrom(store);
  for (const encoding of ['zstd', 'raw'] as const) {
    await convertSession(store.locate(ID)!, encoding, { storage });
    expect(store.locate(ID)!.endsWith('.zstd')).toBe(encoding === 'zstd');
    expect(await exportedFrom(store)).toBe(before);
  }
});
