import { shapesFor, type SessionFile, type SessionRoot, type SessionSummary, type SliceSummary } from '@stemma/core';

import type { Counted } from '../src/library/summary-row.ts';

const SUMMARY: SessionSummary = {
  id: null,
  cwd: '/w',
  title: null,
  firstPrompt: null,
  parentSession: null,
  created: null,
  lastMessage: null,
  entryCount: 0,
  messageCount: 0,
  branchCount: 0,
  compactionCount: 0,
  labels: [],
  models: [],
  tokens: null,
  cost: null,
  status: 'complete',
  shape: { lanes: [], ticks: [], more: 0 },
};

/** What slices of a large file tell. */
export function sliceSummary(over: Partial<SliceSummary> = {}): SliceSummary {
  const uncounted = { entryCount: null, messageCount: null, branchCount: null, compactionCount: null, shape: null };
  const shapes = shapesFor(undefined);
  return {
    ...SUMMARY,
    ...uncounted,
    isSession: true,
    hasHeader: true,
    header: null,
    whole: false,
    hasBlobs: false,
    shapes,
    problems: [],
    ...over,
  };
}

export function countedOf(entryCount: number, over: Partial<Counted> = {}): Counted {
  return { summary: { ...SUMMARY, entryCount }, shapes: shapesFor(undefined), problemCount: 0, isSession: true, ...over };
}

export function sessionFile(key: string, over: Partial<SessionFile> = {}): SessionFile {
  return {
    key,
    rootId: 'r1',
    path: `/r1/${key}`,
    relativePath: key,
    sizeBytes: 1_000,
    modifiedMs: 1,
    fingerprint: 'f1',
    parentRelativePath: null,
    problems: [],
    ...over,
  };
}

/** A root whose files and their summaries are given; it counts what is read of them. */
export function fakeRoot(files: SessionFile[] = []) {
  const state = {
    files,
    failing: false,
    /** Ids of sessions that their host has paused. */
    paused: new Set<string>(),
    scans: 0,
    /** Keys of files whose slices were read. */
    read: [] as string[],
    /** Key → what its slices tell; a plain session without one. */
    slices: {} as Record<string, () => SliceSummary>,
  };
  const root = {
    id: 'r1',
    dialect: 'x',
    path: '/r1',
    scan: async () => {
      state.scans++;
      if (state.failing) throw Object.assign(new Error('EIO'), { code: 'EIO' });
      return { sessions: [...state.files], problems: [] };
    },
    placeProblems: async ({ problems }: SessionFile) => [...problems],
    pausedSessions: async () => state.paused,
    summarise: async ({ key }: SessionFile) => {
      state.read.push(key);
      return state.slices[key]?.() ?? sliceSummary({ id: key });
    },
  } as unknown as SessionRoot;
  return { root, state };
}
