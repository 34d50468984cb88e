import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { generateCorpus, writeCorpus, type CorpusFile, type CorpusShape } from '@stemma/core/corpus';

const SESSIONS = 10;

/**
 * Writes ten sessions of the corpus generator below `folder` and answers their paths; sub-sessions come on top.
 * @param modern also those that older clients cannot know.
 */
export async function realisticSessions(folder: string, shapes: CorpusShape, modern: boolean): Promise<string[]> {
  const root = join(folder, 'corpus');
  const paths: string[] = [];
  await writeCorpus(root, noting(generateCorpus({ seed: 7, sessions: SESSIONS, shapes }), paths));
  const found = paths.map((path) => join(root, ...path.split('/')));
  return modern ? found : found.filter((path) => !MODERN.test(readFileSync(path, 'utf8')));
}

/** What Pi reads since version 1 only. */
const MODERN = /"type":"context_edit"|"role":"system"|"systemMessage":/;

function* noting(files: Iterable<CorpusFile>, paths: string[]): Generator<CorpusFile, void, undefined> {
  for (const file of files) {
    if (file.path.endsWith('.jsonl')) paths.push(file.path);
    yield file;
  }
}
