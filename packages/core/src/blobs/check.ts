import type { Outline } from '../outline/outline.ts';
import { inParallel } from '../parallel.ts';
import { ProblemList } from '../problem-list.ts';
import { problem, type Problem } from '../problems.ts';

/** How a blob is found in a store. */
export type BlobState = 'present' | 'missing' | 'corrupt' | 'unreadable';

/** A store of blobs that can be asked whether it has one whole. */
export interface BlobChecker {
  blobState(hash: string): Promise<BlobState>;
}

/** Few: it runs behind what people wait for. */
const PARALLEL = 2;

/**
 * Looks whether every blob that a session refers to is in the store and undamaged. Loads no bodies; each blob is
 * read once. Answers a problem for each entry and blob, in file order.
 *
 * @param signal stops it; rejects with its reason.
 */
export async function checkBlobs(outline: Outline, store: BlobChecker, signal?: AbortSignal): Promise<ProblemList> {
  const hashes = new Set<string>();
  for (const row of outline.blobRows()) for (const hash of outline.blobs(row)) hashes.add(hash);
  const states = new Map<string, BlobState>();
  await inParallel([...hashes], PARALLEL, async (hash) => {
    signal?.throwIfAborted();
    states.set(hash, await store.blobState(hash));
  });
  const problems = new ProblemList();
  for (const row of outline.blobRows()) {
    for (const hash of new Set(outline.blobs(row))) {
      const state = states.get(hash) ?? 'present';
      if (state !== 'present') problems.add(() => blobProblem(state, hash, placeOf(outline, row)));
    }
  }
  return problems;
}

function placeOf(outline: Outline, row: number): { line: number; byteOffset: number; entryId: string } {
  return { line: outline.line(row), byteOffset: outline.offset(row), entryId: outline.id(row) };
}

/** What is wrong with a blob that an entry refers to. */
export function blobProblem(
  state: Exclude<BlobState, 'present'>,
  hash: string,
  place: Pick<Problem, 'line' | 'byteOffset' | 'entryId'>,
): Problem {
  if (state === 'missing') return problem('blob_missing', `The blob ${hash} is not in the store.`, place);
  if (state === 'corrupt')
    return problem('blob_corrupt', `The blob ${hash} does not have the content that its name says.`, place);
  return problem('unreadable', `The blob ${hash} cannot be read.`, place);
}
