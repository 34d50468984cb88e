import { join } from 'node:path';

import { generateCorpus, writeCorpus, type CorpusFile, type CorpusShape } from '@stemma/core/corpus';

const SESSIONS = 10;

/** Writes ten sessions of the corpus generator below `folder` and answers their paths; sub-sessions come on top. */
export async function realisticSessions(folder: string, shapes: CorpusShape): Promise<string[]> {
  const root = join(folder, 'corpus');
  const paths: string[] = [];
  await writeCorpus(root, noting(generateCorpus({ seed: 7, sessions: SESSIONS, shapes }), paths));
  return paths.map((path) => join(root, ...path.split('/')));
}

function* noting(files: Iterable<CorpusFile>, paths: string[]): Generator<CorpusFile, void, undefined> {
  for (const file of files) {
    if (file.path.endsWith('.jsonl')) paths.push(file.path);
    yield file;
  }
}
