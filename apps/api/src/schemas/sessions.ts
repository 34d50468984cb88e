import { LIVE_STATES } from '@stemma/core/pure';
import Type, { type Static } from 'typebox';

import { Json, Nullable, Page, Problem, StringEnum } from './common.ts';

export const STATUSES = ['complete', 'interrupted', 'aborted', 'error', 'pending', 'unknown'] as const;
export const SORTS = ['modified', 'created', 'title', 'size', 'entries', 'tokens', 'cost'] as const;

/** The glyph: the collapsed tree on a line of length 1. Lane 0 is the active path. */
export const Shape = Type.Object({
  lanes: Type.Array(
    Type.Object({
      /** Index of the lane it leaves, -1 for lane 0 and for further roots. */
      parent: Type.Integer(),
      /** Where it leaves, 0 … 1. */
      from: Type.Number(),
      to: Type.Number(),
      /** Vertical slot: 0 the trunk, 1, 2 … above, -1, -2 … below. */
      slot: Type.Integer(),
    }),
  ),
  /** Compactions on the active path, 0 … 1. */
  ticks: Type.Array(Type.Number()),
  /** Branches that were too many to draw. */
  more: Type.Integer(),
});
export type Shape = Static<typeof Shape>;

export const SummaryRow = Type.Object({
  key: Type.String(),
  /** The id in the header; null without one. */
  id: Nullable(Type.String()),
  rootId: Type.String(),
  dialect: Type.String(),
  cwd: Nullable(Type.String()),
  /** cwd with the home folder written as ~. */
  cwdLabel: Nullable(Type.String()),
  /** For display only. */
  path: Type.String(),
  title: Nullable(Type.String()),
  firstPrompt: Nullable(Type.String()),
  created: Nullable(Type.Number()),
  modified: Nullable(Type.Number()),
  sizeBytes: Type.Number(),
  entryCount: Nullable(Type.Integer()),
  messageCount: Nullable(Type.Integer()),
  /** Leaves of the tree. */
  branchCount: Nullable(Type.Integer()),
  compactionCount: Nullable(Type.Integer()),
  labelCount: Nullable(Type.Integer()),
  labels: Type.Array(Type.String()),
  models: Type.Array(Type.String()),
  tokens: Nullable(Type.Number()),
  /** USD. */
  cost: Nullable(Type.Number()),
  status: StringEnum(STATUSES),
  live: Nullable(StringEnum(LIVE_STATES)),
  problemCount: Nullable(Type.Integer()),
  parentKey: Nullable(Type.String()),
  shape: Nullable(Shape),
});
export type SummaryRow = Static<typeof SummaryRow>;

export const SessionsQuery = Type.Object({
  root: Type.Optional(Type.String()),
  /** A project id of /projects. */
  project: Type.Optional(Type.String()),
  /** Words that all occur in title, first prompt, cwd, id, model or label. */
  q: Type.Optional(Type.String({ maxLength: 4000 })),
  /** One of `STATUSES` or `LIVE_STATES`: how it ended, or what it does now. Any other word is the status of none. */
  status: Type.Optional(Type.String({ maxLength: 40 })),
  label: Type.Optional(Type.String()),
  /** Only sessions with problems, with branches or with compactions. */
  with: Type.Optional(StringEnum(['problems', 'branches', 'compactions', 'labels'] as const)),
  sort: Type.Optional(StringEnum(SORTS)),
  order: Type.Optional(StringEnum(['asc', 'desc'] as const)),
  cursor: Type.Optional(Type.String({ maxLength: 1_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
});
export type SessionsQuery = Static<typeof SessionsQuery>;

export const SessionsPage = Page(SummaryRow);
export type SessionsPage = Static<typeof SessionsPage>;

/** What calls of models amount to; null where the file does not say, else the sum of what it says. */
const usage = {
  calls: Type.Integer(),
  input: Nullable(Type.Number()),
  output: Nullable(Type.Number()),
  cacheRead: Nullable(Type.Number()),
  cacheWrite: Nullable(Type.Number()),
  tokens: Nullable(Type.Number()),
  /** USD. */
  cost: Nullable(Type.Number()),
  /** Calls of which the file states no tokens, and no cost. */
  unknownUsage: Type.Integer(),
  unknownCost: Type.Integer(),
};

export const UsageTally = Type.Object(usage);
export type UsageTally = Static<typeof UsageTally>;

export const Tally = Type.Object({
  entries: Type.Integer(),
  messages: Type.Integer(),
  prompts: Type.Integer(),
  answers: Type.Integer(),
  toolCalls: Type.Integer(),
  errors: Type.Integer(),
  ...usage,
});
export type Tally = Static<typeof Tally>;

export const Statistics = Type.Object({
  /** The path to the leaf; everything else. */
  active: Tally,
  abandoned: Tally,
  /** Calls that compactions, branch summaries and side work cost, on any branch. */
  compactions: UsageTally,
  summaries: UsageTally,
  side: UsageTally,
  /** All of the above. */
  total: Tally,
  /** Of the whole session, most tokens first; `share` 0 … 1 of the tokens whose model is known. */
  models: Type.Array(Type.Object({ model: Type.String(), share: Nullable(Type.Number()), ...usage })),
  /** Answered calls by tool, most first; `waitMs` is summed over `timed` of them. */
  tools: Type.Array(
    Type.Object({
      name: Type.String(),
      results: Type.Integer(),
      errors: Type.Integer(),
      waitMs: Nullable(Type.Number()),
      timed: Type.Integer(),
    }),
  ),
  /** Of the path to the leaf (ms); `activeMs` without pauses over 5 minutes. */
  durations: Type.Object({ wallMs: Nullable(Type.Number()), activeMs: Nullable(Type.Number()) }),
});
export type Statistics = Static<typeof Statistics>;

export const SessionDetailQuery = Type.Object({
  /** An IANA time zone: answers `days`. */
  tz: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
});
export type SessionDetailQuery = Static<typeof SessionDetailQuery>;

export const SessionProblem = Type.Object({
  ...Problem.properties,
  /** The entry to show for it: the one that it is `in`, else the nearest one `before` or `after` which it stands; null without entries. */
  near: Nullable(Type.Object({ row: Type.Integer(), how: StringEnum(['in', 'after', 'before'] as const) })),
});
export type SessionProblem = Static<typeof SessionProblem>;

export const SessionDetail = Type.Object({
  key: Type.String(),
  epoch: Type.String(),
  revision: Type.String(),
  rules: StringEnum(['musepi', 'pi', 'dsh'] as const),
  header: Nullable(Json),
  summary: SummaryRow,
  leafId: Nullable(Type.String()),
  statistics: Statistics,
  /** With `tz`: the session day by day in that zone, oldest first; entries without a time last, under null. */
  days: Type.Optional(
    Type.Array(
      Type.Object({
        date: Nullable(Type.String()),
        entries: Type.Integer(),
        prompts: Type.Integer(),
        tokens: Nullable(Type.Number()),
        cost: Nullable(Type.Number()),
      }),
    ),
  ),
  /** Labels in force, in file order of their targets. */
  labels: Type.Array(
    Type.Object({ entryId: Type.String(), row: Type.Integer(), label: Type.String(), time: Nullable(Type.Number()) }),
  ),
  /** Every compaction of the file; `keptRow` is -1 where nothing is kept. */
  compactions: Type.Array(
    Type.Object({
      entryId: Type.String(),
      row: Type.Integer(),
      keptRow: Type.Integer(),
      tokensBefore: Nullable(Type.Number()),
      tokensAfter: Nullable(Type.Number()),
    }),
  ),
  /** The first so many rows are those of the session that this one was begun with; their calls are not counted. */
  inheritedRows: Type.Integer(),
  /** Sessions that come from this one: sub-agents and forks, newest first, at most 500. */
  children: Type.Array(Type.Object({ key: Type.String(), id: Nullable(Type.String()), title: Nullable(Type.String()) })),
  problems: Type.Array(SessionProblem),
  problemsTotal: Type.Integer(),
});
export type SessionDetail = Static<typeof SessionDetail>;
