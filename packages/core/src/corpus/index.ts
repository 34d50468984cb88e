/**
 * `@stemma/core/corpus`: made-up session stores of any size, the same from the same seed. Nothing here reads a clock or
 * a file; only `writeCorpus` writes.
 */
export { generateSession, sessionIdentity } from './session/session.ts';
export { generateCorpus } from './corpus.ts';
export { demoCorpus, demoFiles, DEMO_ROOTS, type DemoFile } from './demo/demo.ts';
export { writeCorpus, type WriteProgress } from './write.ts';
export { bucketName, sessionFileName } from './base/paths.ts';
export { titleSlot } from './session/dialect.ts';
export { vocabulary } from './text/vocabulary.ts';
export { DEFAULT_HOME, DEFAULT_TIME } from './options.ts';
export type { CorpusFile, CorpusOptions, CorpusShape, SessionOptions } from './options.ts';
