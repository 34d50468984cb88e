import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

import { FaultDisk, type Fault } from '../disk/fault-disk.ts';
import { MemoryDisk } from '../disk/memory-disk.ts';
import type { FileEntry } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import { parseJsonlLenient } from '../logs/parse.ts';
import type { LogRecord, SessionHandle, SessionRef, SessionStore } from '../store/session-store.ts';
import type { TestKit } from './disk-contract.ts';
import { headerFor, note, picture } from './store-fixture.ts';

/** A store over a disk that fails. */
export interface FaultyGround {
  store: SessionStore;
  /** The decoded logs of a session, one for each place where it lies. Asks the ground below the faults. */
  logs(id: string): Uint8Array[];
  /** Puts a log on the ground as another program would. */
  put(id: string, log: Uint8Array): SessionRef;
}

/** What goes wrong, from one operation on for some operations. */
interface FaultKind {
  name: string;
  /** The faults of one operation after another. */
  faults: readonly Fault[];
  /** Operations that this can happen to first; all by default. */
  first?: RegExp;
}

const error = (code: string, times: number, first?: RegExp): FaultKind => ({
  name: `${code}${times > 1 ? ` at ${String(times)} operations` : ''}`,
  faults: Array.from({ length: times }, () => ({ error: code })),
  ...(first && { first }),
});

const KINDS: readonly FaultKind[] = [
  error('EIO', 1),
  error('ENOSPC', 1, /^(open|write|mkdir|link|rename|fsync)$/),
  error('EPERM', 1, /^(open|link|rename|unlink|rmdir|chmod)$/),
  error('EACCES', 1, /^(open|readdir|mkdir|link|rename|unlink|realpath)$/),
  { name: 'a short write', faults: [{ short: 5 }], first: /^(write|read)$/ },
  { name: 'ENOSPC in the middle of a line', faults: [{ short: 5 }, { error: 'ENOSPC' }], first: /^write$/ },
  error('EIO', 3, /^(open|write|truncate|link|rename|unlink|close|fstat)$/),
  {
    name: 'ENOSPC in the middle of a line, and no way back',
    faults: [{ short: 5 }, ...error('ENOSPC', 3).faults],
    first: /^write$/,
  },
];

/**
 * A story of writing, told again and again with a fault at each operation of the disk in turn: nothing that was
 * acknowledged is lost, what is stored can be read, and once the fault is gone everything works.
 * @param make the store over a faulty disk, and how to look below it
 */
export function storeFaultContract(
  kit: TestKit,
  name: string,
  make: (faulty: FaultDisk, ground: MemoryDisk) => FaultyGround,
): void {
  kit.describe(`SessionStore under faults: ${name}`, () => {
    for (const kind of KINDS) {
      kit.it(`survives ${kind.name} at any operation`, async () => {
        const operations = await tell(make, kind, Number.POSITIVE_INFINITY);
        assert.ok(operations.length > 50, 'the story is told through the disk');
        for (const [i, operation] of operations.entries()) {
          if (kind.first?.test(operation) === false) continue;
          try {
            await tell(make, kind, i + 1);
          } catch (cause) {
            throw new Error(`with ${kind.name} at operation ${String(i + 1)} (${operation})`, { cause });
          }
        }
      });
    }
  });
}

/** Tells the story once; answers the operations. */
async function tell(
  make: (faulty: FaultDisk, ground: MemoryDisk) => FaultyGround,
  kind: FaultKind,
  at: number,
): Promise<string[]> {
  const ground = new MemoryDisk();
  const operations: string[] = [];
  const disk = new FaultDisk(ground, (operation, _path, count) => {
    operations.push(operation);
    return kind.faults[count - at] ?? null;
  });
  const story = new Story(make(disk, ground), kind.faults.length > 2);
  await story.begin();
  await story.goOn();
  await story.mend();
  return operations;
}

/** Tries of one step; a fault lasts for fewer operations than they take. */
const TRIES = 6;

class Story {
  readonly #on: FaultyGround;
  /** The way back may be barred too: then half a line may stand at the end until the next write. */
  readonly #mayTear: boolean;
  #handle: SessionHandle | null = null;
  /** What was acknowledged, in order. */
  #stored: LogRecord[] = [];
  /** What a replace that failed in the end may have stored all the same. */
  #perhaps: LogRecord[] | null = null;

  constructor(on: FaultyGround, mayTear: boolean) {
    this.#on = on;
    this.#mayTear = mayTear;
  }

  async begin(): Promise<void> {
    this.#handle = this.#on.store.create(headerFor('s1'));
    await this.#append(picture('e1'), note('e2', 'e1'));
    await this.#append(note('e3', 'e2', 'x'.repeat(3000)));
    await this.#replace([this.#stored[0]!, note('e2b', 'e1'), this.#stored[2]!, picture('e3b', 'e3')]);
    await this.#header({ title: 'a title' });
    await this.#append(note('e4'));
    await this.#published(note('e5'));
    await this.#move('/home/ann/other');
    await this.#append(note('e6'));
    await this.#close();
  }

  async goOn(): Promise<void> {
    await this.#open('s1');
    await this.#append(note('e7'));
    await this.#replace([...this.#stored.slice(1), note('e8')]);
    await this.#append(note('e9'));
    await this.#close();
    await this.#open('s1');
    await this.#close();
    await this.#step(
      () => this.#on.store.delete('s1'),
      (gone) => gone.code === 'session_not_found',
    );
    assert.deepEqual(this.#on.logs('s1'), []);
  }

  /** A file that another program left in two pieces. */
  async mend(): Promise<void> {
    const whole = [headerFor('s2'), note('m1').value, note('m2').value].map((value) => JSON.stringify(value)).join('\n');
    const ref = this.#on.put('s2', new TextEncoder().encode(`${whole}\n{"type":"custom","id":"torn`));
    this.#stored = [note('m1'), note('m2')];
    await this.#open(ref);
    await this.#append(note('m3'));
    await this.#close();
    this.#check('s2');
  }

  async #open(ref: SessionRef): Promise<void> {
    await this.#step(() => {
      const handle = this.#on.store.openSync(ref, 'write');
      try {
        const [, ...records] = handle.readSync();
        assert.deepEqual(ids(records), ids(this.#stored));
        // A blob may not be to be had at this moment.
        this.#stored = this.#stored.map(({ value }, i) => ({
          value: records[i]!.value.id === value.id ? records[i]!.value : value,
        }));
        this.#handle = handle;
      } catch (failed) {
        void handle.close().catch(asExpected);
        throw failed;
      }
    });
  }

  async #append(...records: LogRecord[]): Promise<void> {
    await this.#step(() => {
      if (this.#handle!.rewriteRequired) this.#handle!.replaceSync(this.#all(records), { revision: this.#handle!.revision });
      else this.#handle!.appendSync(records);
      this.#stored = [...this.#stored, ...records];
    });
  }

  async #replace(records: LogRecord[]): Promise<void> {
    this.#perhaps = records;
    await this.#step(async () => {
      const handle = this.#handle!;
      await handle.replace([{ value: handle.header }, ...records], { revision: handle.revision });
      this.#stored = records;
      this.#perhaps = null;
    });
  }

  async #header(fields: Record<string, unknown>): Promise<void> {
    const handle = this.#handle!;
    const header = { ...handle.header, ...fields };
    await this.#step(() => handle.updateHeader(header));
    assert.deepEqual(handle.header, header);
  }

  async #published(record: LogRecord): Promise<void> {
    this.#on.store.publish('s1', [record]);
    await this.#step(() => this.#handle!.flush());
    this.#stored = [...this.#stored, record];
  }

  async #move(cwd: string): Promise<void> {
    await this.#step(() => this.#on.store.move?.('s1', cwd));
    if (this.#on.store.move !== undefined) assert.equal(this.#handle!.header.cwd, cwd);
  }

  /** What closing says cannot be tried again: the handle lets go in any case. */
  async #close(): Promise<void> {
    const handle = this.#handle!;
    await handle.close().catch(asExpected);
    this.#handle = null;
    this.#check(handle.header.id);
  }

  async #step(work: () => unknown, done: (failed: SessionStoreError) => boolean = () => false): Promise<void> {
    for (let left = TRIES; ; left--) {
      try {
        await work();
        break;
      } catch (failed) {
        if (left === 0) throw failed;
        asExpected(failed);
        if (this.#handle !== null) this.#check(this.#handle.header.id);
        if (left < TRIES && done(failed as SessionStoreError)) break;
      }
    }
    if (this.#handle !== null) this.#check(this.#handle.header.id);
  }

  #all(added: readonly LogRecord[]): LogRecord[] {
    return [{ value: this.#handle!.header }, ...this.#stored, ...added];
  }

  /** What is stored below the faults has all that was acknowledged, once and in order. */
  #check(id: string): void {
    const logs = this.#on.logs(id);
    if (logs.length === 0) {
      assert.deepEqual(this.#stored, [], 'nothing is stored');
      return;
    }
    assert.equal(logs.length, 1, 'the session lies in one place');
    const { records, problems } = parseJsonlLenient(logs[0]!);
    const found = problems.filter(({ code }) => code !== 'torn_tail' || !(this.#mayTear || id === 's2'));
    assert.deepEqual(found, [], 'what is stored can be read');
    const stored = records.slice(1).map(({ value }) => (value as FileEntry).id);
    if (this.#perhaps !== null && isDeepStrictEqual(stored, ids(this.#perhaps))) return;
    assert.deepEqual(stored.slice(0, this.#stored.length), ids(this.#stored), 'what was acknowledged is there');
  }
}

const ids = (records: readonly LogRecord[]): string[] => records.map(({ value }) => value.id);

/** Nothing but what the contract says may come of a fault. */
function asExpected(failed: unknown): void {
  const codes = ['storage_io', 'session_conflict', 'session_not_found', 'session_owned'];
  if (!(failed instanceof SessionStoreError && codes.includes(failed.code))) throw failed;
}
