import assert from 'node:assert/strict';

import type { Disk } from '../disk/disk.ts';
import type { Fault, FaultPlan } from '../disk/fault-disk.ts';
import { restoreBackup } from '../storage/leftovers.ts';
import type { SessionStorage } from '../storage/storage.ts';
import type { TestKit } from './disk-contract.ts';
import { fileText, namesIn, putFile } from './disk-files.ts';

export interface FaultFixture {
  /** Asks the plan before every operation. */
  storage: SessionStorage;
  /** The same files without faults. */
  disk: Disk;
  /** An empty folder. */
  base: string;
  dispose(): void | Promise<void>;
}

/** What goes wrong at an operation. */
const FAULTS: Record<string, NonNullable<Fault>> = {
  ENOSPC: { error: 'ENOSPC' },
  EIO: { error: 'EIO' },
  EPERM: { error: 'EPERM' },
  EACCES: { error: 'EACCES' },
  'short writes': { short: 50 },
};

/** at: the operation with that number alone. from: it and all that follow. */
type Reach = 'at' | 'from';

interface Outcome {
  fixture: FaultFixture;
  /** What the work threw. */
  error: unknown;
  /** The first operation that failed. */
  operation: string;
}

interface Scenario {
  prepare(disk: Disk, base: string): void;
  work(storage: SessionStorage, base: string): void | Promise<void>;
  check(outcome: Outcome, reach: Reach): void | Promise<void>;
}

/**
 * What a session storage must keep true when its disk fails, at whatever operation: every scenario is run once for each
 * operation that it consists of, with each fault, alone and lasting.
 */
export function storageFaultContract(kit: TestKit, name: string, make: (plan: FaultPlan) => FaultFixture): void {
  kit.describe(`SessionStorage on a bad disk: ${name}`, () => {
    for (const [title, scenario] of Object.entries(SCENARIOS)) {
      for (const [fault, what] of Object.entries(FAULTS)) {
        kit.it(`${title}: ${fault}`, () => everywhere(make, scenario, what));
      }
    }
  });
}

async function everywhere(make: (plan: FaultPlan) => FaultFixture, scenario: Scenario, fault: NonNullable<Fault>): Promise<void> {
  const steps = await run(make, scenario, 'at', 0, fault);
  assert.ok(steps > 2, 'the scenario does something');
  for (const reach of ['at', 'from'] as const) {
    for (let step = 1; step <= steps; step++) await run(make, scenario, reach, step, fault);
  }
}

/** Runs a scenario with a fault at one of its operations (0: nowhere). @returns how many operations there were */
async function run(
  make: (plan: FaultPlan) => FaultFixture,
  scenario: Scenario,
  reach: Reach,
  step: number,
  fault: NonNullable<Fault>,
): Promise<number> {
  let armed = false;
  let count = 0;
  let operation = '';
  const fixture = make((next) => {
    if (!armed) return null;
    count++;
    const strikes = reach === 'at' ? count === step : step > 0 && count >= step;
    if (strikes && operation === '') operation = next;
    return strikes ? fault : null;
  });
  try {
    scenario.prepare(fixture.disk, fixture.base);
    armed = true;
    let error: unknown;
    try {
      await scenario.work(fixture.storage, fixture.base);
    } catch (thrown) {
      error = thrown;
    }
    armed = false;
    if (step === 0) assert.equal(error, undefined);
    await explained(`${reach} operation ${String(step)} (${operation})`, () =>
      scenario.check({ fixture, error, operation }, reach),
    );
  } finally {
    await fixture.dispose();
  }
  return count;
}

async function explained(where: string, check: () => void | Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    throw new Error(`Fault ${where}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

const OLD = 'old line\n'.repeat(40);
const NEW = 'a new line 新\n'.repeat(50);
const file = (base: string): string => `${base}/a.jsonl`;
/** A file that the disk did not let go of can be left only where removing it was what failed. */
const passing = (disk: Disk, base: string): string[] => namesIn(disk, base).filter((name) => /\.(tmp|bak)$/.test(name));

function contentOf(text: string | null): string {
  return text === null ? 'none' : text === OLD ? 'old' : text === NEW ? 'new' : `mixed: ${text.slice(0, 80)}`;
}

/** The old content or the new one, and the one that the answer says. */
function oldOrNew({ fixture: { disk, base }, error, operation }: Outcome, reach: Reach, old: string | null): void {
  const before = fileText(disk, file(base));
  if (before === null && old !== null) {
    assert.equal(reach, 'from');
    assert.ok(restoreBackup(disk, file(base)), 'the old content waits under a backup name');
  }
  const found = contentOf(fileText(disk, file(base)));
  // Of the folder it is known only after the new content has the name that it is not safe from a power failure.
  if (error === undefined || operation === 'fsyncdir') assert.equal(found, 'new');
  else assert.equal(found, contentOf(old), 'an error means that nothing was changed');
  if (reach === 'at' && error !== undefined) assert.deepEqual(passing(disk, base), []);
  assert.ok(passing(disk, base).length <= 2);
}

/** Lines of many lengths; the acknowledged ones are collected. */
const LINES = [30, 3000, 1, 200, 25_000, 5].map((length, i) => `${String(i)}${'x'.repeat(length)}\n`);

function appendAll(storage: SessionStorage, base: string, acknowledged: string[]): void {
  let writer = storage.openWriter(file(base));
  for (const line of LINES) {
    try {
      writer.append(line);
      acknowledged.push(line);
    } catch {
      // The first error stays in a writer; the next line goes to a new one.
      writer = storage.openWriter(file(base));
    }
  }
}

function appending(): Scenario {
  const acknowledged: string[] = [];
  return {
    prepare(disk, base) {
      acknowledged.length = 0;
      putFile(disk, file(base), 'first\n');
    },
    work: (storage, base) => appendAll(storage, base, acknowledged),
    async check({ fixture: { storage, disk, base } }, reach) {
      const text = fileText(disk, file(base))!;
      const kept = `first\n${acknowledged.join('')}`;
      if (reach === 'at') {
        assert.equal(text, kept);
        return;
      }
      // The disk did not even let what was half written be cut off; it is a part of one line, and the next one is not fused with it.
      assert.equal(text.slice(0, kept.length), kept);
      assert.ok(LINES.some((line) => line.startsWith(text.slice(kept.length))));
      const writer = storage.openWriter(file(base));
      writer.append('{}\n');
      await writer.close();
      const lines = fileText(disk, file(base))!.split('\n');
      assert.deepEqual(lines.slice(-2), ['{}', '']);
    },
  };
}

const deleted = ['a.jsonl', 'a.jsonl.0123456789abcdef.bak', 'a.jsonl.before-01234567'];

const SCENARIOS: Record<string, Scenario> = {
  'a replaced file is the old one or the new one': {
    prepare: (disk, base) => putFile(disk, file(base), OLD),
    work: (storage, base) => storage.writeTextAtomic(file(base), NEW, { expectedSize: OLD.length }),
    check: (outcome, reach) => oldOrNew(outcome, reach, OLD),
  },
  'a new file is there as a whole or not at all': {
    prepare: () => undefined,
    work: (storage, base) => storage.writeText(file(base), NEW),
    check: (outcome, reach) => oldOrNew(outcome, reach, null),
  },
  'what append returned for is in the file, and no half line': appending(),
  'a deleted session does not come back, and can be deleted again': {
    prepare(disk, base) {
      for (const name of deleted) putFile(disk, `${base}/${name}`, OLD);
      disk.mkdirSync(`${base}/a/inner`);
      putFile(disk, `${base}/a/inner/1.log`, 'x');
    },
    work: (storage, base) => storage.deleteSessionWithArtifacts(file(base)),
    async check({ fixture: { storage, disk, base }, error }) {
      if (error === undefined) assert.deepEqual(namesIn(disk, base), []);
      const gone = fileText(disk, file(base)) === null;
      if (gone) assert.equal(restoreBackup(disk, file(base)), false);
      else await storage.deleteSessionWithArtifacts(file(base));
      assert.equal(fileText(disk, file(base)), null);
      if (!gone) assert.deepEqual(namesIn(disk, base), []);
    },
  },
};
