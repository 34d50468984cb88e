/** Everything of `@stemma/core` that needs no file system: no `node:*`, no clock, no random. */
export { FLAG, hasFlag, type FlagName } from './outline/flags.ts';
export type { ProblemList } from './problem-list.ts';
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

export { buildSessionContext, explainContext } from './context/build-context.ts';
export { compactionFacts, type CompactionFacts, type Stretch } from './context/compactions.ts';
export { contextParts, emissionRole, emissionTokens, type ContextParts } from './context/estimates.ts';
export { systemPromptAt, type SystemPrompt } from './context/system-prompt.ts';
export type { ContextPlan, Emission, Verdict } from './context/plan.ts';
export { contextLens, contextMessages, modelContext, type Lens, type LoadEntries } from './context/view.ts';
export { checkBlobs, type BlobChecker, type BlobState } from './blobs/check.ts';
export { blobHash, blobReferences, type BlobForm, type BlobReference } from './blobs/refs.ts';
export { resolveBlobs, type BlobGet, type Resolved } from './blobs/resolve.ts';
export { createBranchSummaryMessage, createCompactionSummaryMessage, createCustomMessage } from './entries/create-messages.ts';
export { CURRENT_SESSION_VERSION } from './entries/entry.ts';
export type * from './entries/entry.ts';
export type * from './entries/messages.ts';
export { clipStrings } from './entries/parts.ts';
export { ENTRY_TYPES, entryKind } from './entries/registry.ts';
export type { EntryCategory } from './entries/define-entry.ts';
export { MESSAGE_ROLES } from './entries/roles/registry.ts';
export { SessionStoreError, ERROR_CODES, type ErrorCode } from './errors.ts';
export { MAX_LINE_BYTES } from './logs/lines.ts';
export { migrateSessionEntries } from './logs/migrate.ts';
export { parseJsonlLenient, type LenientResult } from './logs/parse.ts';
export { parseSessionEntries, SessionContentDecoder, type SessionContent } from './logs/read-entries.ts';
export { SessionDecoder } from './logs/session-decoder.ts';
export type { Outline } from './outline/outline.ts';
export { lineageOf, type LineageSource } from './outline/lineage.ts';
export { LIVE_STATES, liveness, type Live } from './outline/liveness.ts';
export { SESSION_STATUSES, summarise, type SessionStatus, type SessionSummary } from './outline/summary.ts';
export { absoluteBucket, homeBucket, samePath, type PathFacts } from './shapes/buckets.ts';
export { shapesFor } from './shapes/registry.ts';
export type { Shapes } from './shapes/define-shapes.ts';
export { resolveLabels, type ResolvedLabel } from './tree/labels.ts';
export { sessionShape, type SessionShape, type ShapeLane } from './tree/shape.ts';
export { byDay, type DayTally } from './tree/days.ts';
export type { Durations } from './tree/durations.ts';
export { statistics, type ModelShare, type Statistics, type Tally, type ToolTally } from './tree/statistics.ts';
export type { UsageTally } from './tree/usage.ts';
export { isAncestor, treeOrder, type TreeOrder } from './tree/order.ts';
export { entryImage, type EntryImage } from './transcript/images.ts';
export { transcriptPage, TranscriptView, transcriptView } from './transcript/page.ts';
export type { History, PageRequest, TranscriptPage } from './transcript/page.ts';
export { MIN_BLOB_CHARS } from './persist/glance.ts';
export { MAX_PERSIST_CHARS } from './persist/cut.ts';
export { prepareEntry, type PrepareOptions } from './persist/prepare.ts';
export { restoreEntry, type BlobGetSync } from './persist/restore.ts';
export { interruptedTurnClosers } from './context/interrupted.ts';
