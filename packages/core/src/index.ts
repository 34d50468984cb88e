/** The session store: everything of `pure` and what touches files. */
export * from './pure.ts';
export { DiskError, diskCode, readSpan } from './disk/disk.ts';
export type { Disk, DiskEntry, DiskFile, DiskKind, DiskStat, OpenMode } from './disk/disk.ts';
export { FaultDisk, type Fault, type FaultPlan } from './disk/fault-disk.ts';
export { MemoryDisk } from './disk/memory-disk.ts';
export { NodeDisk } from './disk/node-disk.ts';
export { inParallel } from './parallel.ts';
export { loadEntriesFromFile, readSession, type ReadOptions } from './store/load.ts';
export { DIALECTS, openRoot, SessionRoot } from './store/roots.ts';
export type { Dialect, RootSpec, SessionFile } from './store/roots.ts';
export { DecodeThread } from './store/decode-thread.ts';
export type { RefreshResult, SessionReader } from './store/reader.ts';
export type { SliceSummary } from './store/slices.ts';
