import { existsSync } from 'node:fs';
import path from 'node:path';

/** Real session files that lie beside the project where they are used for tests; a clone has none. */
const SHARED = path.resolve(import.meta.dirname, '../../../../../shared/data');

/** A folder of them, or null where they are absent. */
export function sharedData(...names: string[]): string | null {
  const folder = path.join(SHARED, ...names);
  return existsSync(folder) ? folder : null;
}

/** For titles of tests: says why they are skipped. */
export const absent = (folder: string | null): string =>
  folder === null ? ' (skipped: no ../shared/data beside the project)' : '';
