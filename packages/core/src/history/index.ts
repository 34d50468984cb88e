/** Prompt history in SQLite: apart from the rest, which runs without the native module that it needs. */
export { HistoryStorage, type HistoryOptions } from './history-storage.ts';
export type { HistoryEntry } from './rows.ts';
