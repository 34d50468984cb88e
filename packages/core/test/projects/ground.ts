import * as fs from 'node:fs';
import path from 'node:path';

import { compressFrame, decompressFrame } from '../../src/codec/zstd/engine.ts';
import { scanFrame } from '../../src/codec/zstd/frames.ts';
import type { Disk } from '../../src/disk/disk.ts';
import { NodeDisk } from '../../src/disk/node-disk.ts';
import { DiskSessionStorage } from '../../src/storage/disk-storage.ts';
import { ProjectSessionStore, type ProjectStoreOptions } from '../../src/store/project-store.ts';
import { headerFor, note } from '../../src/testing/store-fixture.ts';
import { temporaryFolder } from '../store/node-fixture.ts';

export { headerFor, note, picture } from '../../src/testing/store-fixture.ts';

/** A root of project directories on the real disk. */
export class ProjectGround {
  readonly root = path.join(temporaryFolder(), 'root');

  store(options: Partial<ProjectStoreOptions> = {}, disk: Disk = new NodeDisk()): ProjectSessionStore {
    return new ProjectSessionStore({ root: this.root, storage: new DiskSessionStorage(disk), ...options });
  }

  at(...names: string[]): string {
    return path.join(this.root, ...names);
  }

  /** All files below the root, by their paths inside it. */
  files(): string[] {
    if (!fs.existsSync(this.root)) return [];
    const all = fs.readdirSync(this.root, { recursive: true, withFileTypes: true });
    return all
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(this.root, path.join(entry.parentPath, entry.name)))
      .sort();
  }

  /** Puts a file there as another program does. */
  put(name: string, content: string | Uint8Array): string {
    const at = this.at(name);
    fs.mkdirSync(path.dirname(at), { recursive: true });
    fs.writeFileSync(at, content);
    return at;
  }

  /** A session of some notes; answers its file. */
  async session(id: string, cwd?: string, options: Partial<ProjectStoreOptions> = {}): Promise<string> {
    const handle = this.store(options).create(headerFor(id, cwd));
    handle.appendSync([note('e1'), note('e2', 'e1')]);
    await handle.close();
    return handle.path!;
  }
}

/** Contents of the frames of a log, all of which must be whole and carry a checksum. */
export function framesOf(stored: Uint8Array): string[] {
  const contents: string[] = [];
  for (let at = 0; at < stored.length;) {
    const scan = scanFrame(stored, at);
    if (scan.kind !== 'frame' || !scan.frame.header.hasChecksum)
      throw new Error(`No whole frame with a checksum at ${String(at)}`);
    contents.push(new TextDecoder().decode(decompressFrame(stored.subarray(at, at + scan.frame.length))));
    at += scan.frame.length;
  }
  return contents;
}

/** A log of one frame for each text. */
export function frames(...contents: string[]): Buffer {
  return Buffer.concat(contents.map((content) => compressFrame(Buffer.from(content))));
}

/** Lines of records, as they are stored. */
export function lines(...values: object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
