import * as path from 'node:path';

import type { RawRecord } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import { inParallel } from '../parallel.ts';
import { problem } from '../problems.ts';
import { FileSessionStore } from '../store/file-store.ts';
import type { SessionStat, SessionStore } from '../store/session-store.ts';
import { InfoFacts } from './info-facts.ts';
import { placeFacts, projectTest } from './places.ts';
import { readInfo, statFile, type ListedSession } from './read-info.ts';
import type { ListOptions } from './list-options.ts';

/** Sessions that are looked at at the same time. */
const PARALLEL = 16;

/** What a store's sessions are, in no order. Of files their ends are read, as in a folder; others are read whole. */
export async function storeSessions(store: SessionStore, options: ListOptions): Promise<ListedSession[]> {
  const { sessions, problems } = await store.list();
  for (const found of problems) options.onProblem?.(found);
  const wanted = sessions.filter(wantedIn(store, options));
  const listed: ListedSession[] = [];
  let done = 0;
  await inParallel(wanted, PARALLEL, async (stat) => {
    options.signal?.throwIfAborted();
    const session = store instanceof FileSessionStore ? await ofFile(store, stat, options) : await ofStore(store, stat, options);
    if (session !== null) listed.push(session);
    options.onProgress?.(++done, wanted.length);
  });
  return listed;
}

function wantedIn(store: SessionStore, { cwd }: ListOptions): (stat: SessionStat) => boolean {
  if (cwd === undefined) return () => true;
  // Only folders on the disk have several names.
  const isProject =
    store instanceof FileSessionStore
      ? projectTest(store.disk, cwd, placeFacts({}).windows)
      : (named: string) => named !== '' && path.resolve(named) === path.resolve(cwd);
  return ({ header }) => isProject(typeof header.cwd === 'string' ? header.cwd : '');
}

async function ofFile(
  { disk, shapes }: FileSessionStore,
  { path: at }: SessionStat,
  options: ListOptions,
): Promise<ListedSession | null> {
  const file = at === null ? null : await statFile(disk, disk.realpathSync(at), options);
  const session = file === null ? null : await readInfo(disk, file, { dialect: shapes.id, ...options });
  return session === null ? null : { ...session, info: { ...session.info, path: at! } };
}

/** What went away between listing and looking was never there; what cannot be read is a problem. */
async function ofStore(store: SessionStore, stat: SessionStat, { onProblem }: ListOptions): Promise<ListedSession | null> {
  const { id, path: at, sizeBytes: size, modified: mtimeMs } = stat;
  const facts = new InfoFacts();
  try {
    const handle = await store.open(at === null ? id : { path: at }, 'read');
    try {
      for (const { value } of await handle.read()) facts.record(value as unknown as RawRecord);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!(error instanceof SessionStoreError)) throw error;
    if (error.code !== 'session_not_found') onProblem?.(problem('unreadable', error.message, at === null ? {} : { path: at }));
    return null;
  }
  const info = facts.info({ path: at ?? id, size, mtimeMs }, store.shapes);
  return info === null ? null : { info, mtimeMs };
}
