import assert from 'node:assert/strict';

import { diskCode, readSpanSync, writeAllSync, type Disk } from '../disk/disk.ts';

/** Small helpers of the contract suites: files as texts. */

/** Makes a file that is not there. */
export function putFile(disk: Disk, path: string, text: string): void {
  const file = disk.openSync(path, 'create');
  try {
    writeAllSync(file, new TextEncoder().encode(text), 0, path);
  } finally {
    file.closeSync();
  }
}

/** The content of a file; null where there is none. */
export function fileText(disk: Disk, path: string): string | null {
  try {
    const file = disk.openSync(path, 'read');
    try {
      return new TextDecoder().decode(readSpanSync(file, 0, file.statSync().size));
    } finally {
      file.closeSync();
    }
  } catch (error) {
    if (diskCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Names in a folder, sorted. */
export function namesIn(disk: Disk, folder: string): string[] {
  return disk
    .readdirSync(folder)
    .map(({ name }) => name)
    .sort();
}

/** The work fails with this code. */
export async function failsWith(code: string, work: () => unknown): Promise<void> {
  await assert.rejects(async () => {
    await work();
  }, hasCode(code));
}

const hasCode =
  (code: string) =>
  (error: unknown): boolean => {
    assert.equal(diskCode(error), code, String(error));
    return true;
  };
