/** Everything of `@stemma/core` that needs no file system: no `node:*`, no clock, no random. */
export { FLAG, hasFlag, type FlagName } from './outline/flags.ts';
export { PROBLEM_CODES, problem, type Problem, type ProblemCode, type Severity } from './problems.ts';
export { childCount, childRows, childrenOf, type Children } from './tree/children.ts';
export { commonAncestor, newestLeafBelow, pathMarks, pathTo } from './tree/path.ts';
export { collapseRuns, type Run, type Runs } from './tree/runs.ts';
export {
  CONTEXT_STATUSES,
  REASON_CODES,
  type ContextOptions,
  type ContextRules,
  type ContextSettings,
  type ContextStatus,
  type Explanation,
  type ReasonCode,
  type SessionContext,
} from './context/types.ts';
export { TEXT_LIMIT, TRANSCRIPT_KINDS } from './transcript/items.ts';
export type * from './transcript/items.ts';
