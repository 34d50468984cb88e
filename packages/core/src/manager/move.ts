import * as path from 'node:path';

import { SessionStoreError } from '../errors.ts';
import type { Ground } from './ground.ts';
import type { OpenSession } from './sessions.ts';

/**
 * Gives a session another working directory, and its file the place that goes with it. A session that is not stored yet
 * stays so. When something fails, all is as it was.
 * @throws `storage_io`, `unsupported` for a store that moves nothing
 */
export async function moveSession(ground: Ground, session: OpenSession, cwd: string): Promise<void> {
  const target = path.resolve(cwd);
  const { writer } = session;
  if (target === session.cwd && target === writer.header.cwd) return;
  const { store } = ground;
  if (store.move === undefined) throw new SessionStoreError('unsupported', 'This store moves no sessions.');
  await writer.move(target, () => store.move!(writer.header.id, target));
  session.cwd = target;
  ground.remember(target, writer.handle, !writer.handle.stored);
}
