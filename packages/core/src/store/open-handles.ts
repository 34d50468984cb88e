import type { Disk } from '../disk/disk.ts';
import { NodeDisk } from '../disk/node-disk.ts';
import type { FileHandle } from './file-handle.ts';

/** Handles for writing that are open in this process, by the ids of their sessions. */
export class OpenHandles {
  readonly #handles = new Map<string, FileHandle>();

  get(id: string): FileHandle | undefined {
    return this.#handles.get(id);
  }

  add(handle: FileHandle): void {
    this.#handles.set(handle.header.id, handle);
  }

  remove(handle: FileHandle): void {
    const { id } = handle.header;
    if (this.#handles.get(id) === handle) this.#handles.delete(id);
  }
}

const all = new WeakMap<object, Map<string, OpenHandles>>();

/** Those of an agent folder, whichever store opened them. */
export function openHandles(disk: Disk, folder: string): OpenHandles {
  // All real disks are the same one.
  const key: object = disk instanceof NodeDisk ? NodeDisk : disk;
  let folders = all.get(key);
  if (folders === undefined) all.set(key, (folders = new Map()));
  let handles = folders.get(folder);
  if (handles === undefined) folders.set(folder, (handles = new OpenHandles()));
  return handles;
}
