import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { FaultDisk, type FaultPlan } from '../../src/disk/fault-disk.ts';
import { NodeDisk } from '../../src/disk/node-disk.ts';
import type { Disk } from '../../src/disk/disk.ts';
import { DiskSessionStorage } from '../../src/storage/disk-storage.ts';
import { BucketSessionStore, type BucketStoreOptions } from '../../src/store/bucket-store.ts';
import type { ForeignChange, SessionHandle } from '../../src/store/session-store.ts';
import { session, type SessionBuilder } from '../../src/testing/index.ts';

/** A folder of session files on the real disk, and a store over it. */
export class FileGround {
  readonly base = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), 'stemma-files-')));
  readonly folder = path.join(this.base, 'sessions', '-app');
  readonly file = path.join(this.folder, '2026-01-01T00-00-00-000Z_session-1.jsonl');

  constructor() {
    fs.mkdirSync(this.folder, { recursive: true });
  }

  store(options: Partial<BucketStoreOptions> = {}, disk: Disk = new NodeDisk()): BucketSessionStore {
    const facts = { home: '/home/ann', temp: '/tmp', windows: false };
    return new BucketSessionStore({ agentDir: this.base, storage: new DiskSessionStorage(disk), facts, ...options });
  }

  /** A store whose disk fails as planned. */
  failing(plan: FaultPlan, options: Partial<BucketStoreOptions> = {}): BucketSessionStore {
    return this.store(options, new FaultDisk(new NodeDisk(), plan));
  }

  put(content: SessionBuilder | string | Uint8Array): this {
    fs.writeFileSync(this.file, typeof content === 'string' || content instanceof Uint8Array ? content : content.text());
    return this;
  }

  /** Appends as a program that knows nothing of us. */
  append(text: string): void {
    fs.appendFileSync(this.file, text);
  }

  text(): string {
    return fs.readFileSync(this.file, 'utf8');
  }

  /** Ids of the lines; every line must parse. */
  ids(): string[] {
    return this.text()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { id: string }).id);
  }

  /** Names beside the file, without it. */
  beside(): string[] {
    return fs.readdirSync(this.folder).filter((name) => name !== path.basename(this.file) && !name.endsWith('.owner'));
  }

  /** The one file beside it whose name has that word. */
  kept(word: string): string {
    const [name, ...more] = this.beside().filter((candidate) => candidate.includes(word));
    if (name === undefined || more.length > 0) throw new Error(`${this.beside().join(', ')}: not one with ${word}`);
    return fs.readFileSync(path.join(this.folder, name), 'utf8');
  }

  dispose(): void {
    fs.rmSync(this.base, { recursive: true });
  }
}

/** Three prompts, `e1` to `e3`. */
export const small = (): SessionBuilder => session().user('one').user('two').user('three');

/** Collects what a handle is told of others. */
export function changesOf(handle: SessionHandle): ForeignChange[] {
  const changes: ForeignChange[] = [];
  handle.onForeign = (change) => changes.push(change);
  return changes;
}
