/**
 * `@stemma/core/corpus`: made-up session stores of any size, the same from the same seed. Nothing here reads a clock or
 * a file; only `writeCorpus` writes.
 */
export { generateSession, sessionIdentity } from './session/session.ts';
export { generateCorpus } from './corpus.ts';
export { generateDshSession, dshIdentity } from './dsh/session.ts';
export { dshPath, generateDshStore, type DshStoreOptions } from './dsh/store.ts';
export type { Batch, DshEnding, DshForm, DshSessionOptions } from './dsh/options.ts';
export { generateProjects, projectSession, type ProjectsOptions } from './projects.ts';
export { demoCorpus, demoFiles, DEMO_ROOTS, type DemoFile, type FrameMaker } from './demo/demo.ts';
export { writeCorpus, type WriteProgress } from './write.ts';
export { bucketName, sessionFileName } from './base/paths.ts';
export { compressFrame } from '../codec/zstd/engine.ts';
export { titleSlot } from './session/dialect.ts';
export { vocabulary } from './text/vocabulary.ts';
export { DEFAULT_HOME, DEFAULT_TIME } from './options.ts';
export type { CorpusFile, CorpusOptions, CorpusShape, SessionOptions, StoreEncoding } from './options.ts';
