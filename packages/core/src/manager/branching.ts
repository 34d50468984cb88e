import type { SessionHeader } from '../entries/entry.ts';
import { extractBranch } from './extract-branch.ts';
import type { Ground } from './ground.ts';
import { forkedHeader, newHeader } from './headers.ts';
import { copySession, storedNow, type OpenSession } from './sessions.ts';

/** A copy of a session with all its branches, the leaf where it was. Stored at once. */
export function forkOfSession(ground: Ground, source: OpenSession): OpenSession {
  const { header, handle } = source.writer;
  const { shapes } = ground.store;
  const copy = copySession(
    ground,
    forkedHeader(header, handle.path, source.cwd, shapes, ground.now()),
    source.tree.entries,
    source.tree.leafId,
  );
  return storedNow(ground, copy);
}

/** One branch of a session as a session of its own; see `extractBranch`. */
export function branchSession(ground: Ground, source: OpenSession, leafId: string): OpenSession {
  const entries = extractBranch(source.tree, leafId, (taken) => ground.freshId(taken));
  const { shapes } = ground.store;
  const fields = { ...titleOf(source.writer.header), cwd: source.cwd, parentSession: source.writer.handle.path ?? undefined };
  const branch = copySession(ground, newHeader(fields, ground.now()), entries);
  ground.remember(branch.cwd, branch.writer.handle, true);
  return shapes.writes.branchAtOnce || branch.tree.answered ? storedNow(ground, branch) : branch;
}

function titleOf({ title, titleSource }: SessionHeader): { title: string | undefined; titleSource: string | undefined } {
  return { title, titleSource };
}
