/** What the two agents write differently for the same happening. */
import type { CorpusShape } from '../options.ts';
import { utf8Length } from './entry-log.ts';
import type { EntryLog } from './entry-log.ts';
import type { Model } from './models.ts';

export interface HeaderFields {
  id: string;
  time: number;
  cwd: string;
  title?: string | undefined;
  parentSession?: string | undefined;
}

export interface Dialect {
  readonly name: CorpusShape;
  header(fields: HeaderFields): string;
  /** Names the session from inside the log. */
  rename(log: EntryLog, title: string): string;
  modelChange(log: EntryLog, to: Model, role?: string): string;
  thinkingLevel(log: EntryLog, level: string): string;
  compaction(log: EntryLog, fields: CompactionFields): string;
  branchSummary(log: EntryLog, abandoned: string, summary: string): string;
  /** The model a turn goes to, in the shape's own spelling of a `usage` record beside the conversation. */
  sideUsage(log: EntryLog, of: Model, usage: object): string;
}

export interface CompactionFields {
  summary: string;
  short: string;
  firstKeptEntryId: string;
  tokensBefore: number;
  readFiles: readonly string[];
  modifiedFiles: readonly string[];
  /** The system prompt at the compaction, in logs that have one. */
  systemMessage?: object | undefined;
}

const musepi: Dialect = {
  name: 'musepi',
  header: ({ id, time, cwd, title, parentSession }) => {
    const named = title === undefined ? {} : { title, titleSource: 'auto' };
    const parent = parentSession === undefined ? {} : { parentSession };
    return JSON.stringify({ type: 'session', version: 3, id, timestamp: new Date(time).toISOString(), cwd, ...named, ...parent });
  },
  rename: (log, title) => log.append('title_change', { title, source: 'user' }),
  modelChange: (log, to, role = 'default') =>
    log.append('model_change', { model: `${to.provider}/${to.id}`, role, resolvedModelIsFallback: false }),
  thinkingLevel: (log, level) => log.append('thinking_level_change', { thinkingLevel: level, configured: null }),
  compaction: (log, { summary, short, firstKeptEntryId, tokensBefore }) =>
    log.append('compaction', { summary, shortSummary: short, firstKeptEntryId, tokensBefore }),
  branchSummary: (log, _abandoned, summary) => log.append('branch_summary', { fromId: log.leaf ?? 'root', summary }),
  sideUsage: (log, of, usage) =>
    log.append('model_usage', { purpose: 'title', api: of.api, provider: of.provider, model: of.id, usage, stopReason: 'stop' }),
};

const pi: Dialect = {
  name: 'pi',
  header: ({ id, time, cwd, parentSession }) => {
    const parent = parentSession === undefined ? {} : { parentSession };
    return JSON.stringify({ type: 'session', version: 3, id, timestamp: new Date(time).toISOString(), cwd, ...parent });
  },
  rename: (log, name) => log.append('session_info', { name }),
  modelChange: (log, to) => log.append('model_change', { provider: to.provider, modelId: to.id }),
  thinkingLevel: (log, level) => log.append('thinking_level_change', { thinkingLevel: level }),
  compaction: (log, { summary, firstKeptEntryId, tokensBefore, readFiles, modifiedFiles, systemMessage }) =>
    log.append('compaction', { summary, firstKeptEntryId, tokensBefore, details: { readFiles, modifiedFiles }, systemMessage }),
  branchSummary: (log, abandoned, summary) =>
    log.append('branch_summary', { fromId: abandoned, summary, details: { readFiles: [], modifiedFiles: [] } }),
  sideUsage: (log, of, usage) => log.append('usage', { kind: 'cache_warm', provider: of.provider, model: of.id, usage }),
};

export const DIALECTS: Record<CorpusShape, Dialect> = { musepi, pi };

/**
 * The title slot of MusePi: one JSON line that with its LF takes exactly 256 bytes, so that a rename can overwrite
 * it in place. Longer titles are cut between code points.
 */
export function titleSlot(title: string, source: 'auto' | 'user', updatedAt: number): string {
  const symbols = Array.from(title);
  const line = (pad: string): string =>
    JSON.stringify({ type: 'title', v: 1, title: symbols.join(''), source, updatedAt: new Date(updatedAt).toISOString(), pad });
  while (utf8Length(line('')) > 255) symbols.pop();
  return line(' '.repeat(255 - utf8Length(line(''))));
}
