import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import type { FileEntry, SessionHeader } from '../../src/entries/entry.ts';
import { ProjectSessionStore } from '../../src/store/project-store.ts';
import { firstDifference } from '../compare.ts';
import { frameTexts } from './frames.ts';
import type { GeneratedLog } from './generate.ts';

/** Lets our store of project directories write a session with the same names and as many appends. Null where place and frames are the same. */
export function writeAsOurs(home: string, place: string, { compression, header, batches }: GeneratedLog): string | null {
  const root = join(home, compression);
  const store = new ProjectSessionStore({ root, encoding: compression === 'zstd' ? 'zstd' : 'raw' });
  const timestamp = '2026-01-01T00:00:00.000Z';
  const own = { type: 'session', version: 3, id: header.id, timestamp, cwd: header.cwd } as SessionHeader;
  const handle = store.create(own);
  for (let n = 0; n < batches.length; n++) {
    const entries = [0, 1].map((k) => ({
      type: 'custom',
      customType: 'n',
      id: `${String(n)}-${String(k)}`,
      parentId: null,
      timestamp,
      data: k,
    }));
    handle.appendSync(entries.map((value) => ({ value: value as unknown as FileEntry })));
  }
  const { path } = handle;
  void handle.close();
  if (path === null) return 'ours has no place';
  // Windows drops a dot at the end of a name, so ours escapes it.
  if (header.id.endsWith('.')) place = place.replace(/\.(?=\/[^/]*$)/, '~002E');
  const where = firstDifference(relative(root, path), place, 'our place');
  if (where !== null || compression === 'none') return where;
  const lines = frameTexts(readFileSync(path)).map((text) => text.split('\n').length - 1);
  return firstDifference(lines, [1, ...batches.map(() => 2)], 'lines of our frames');
}
