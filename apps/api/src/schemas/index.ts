/** The shapes of the HTTP API: request validation, answers, OpenAPI and the web app's types all come from here. */
export { ErrorBody, Problem } from './common.ts';
export { CompactionReport, Compactions, CompactionsQuery, Context, ContextQuery } from './context.ts';
export { EntryAnswer, EntryQuery } from './entry.ts';
export { LineAnswer } from './line.ts';
export { Outline, OutlineQuery } from './outline.ts';
export { Health, Indexing, Project, Projects, Root, Roots } from './roots.ts';
export {
  SessionDetail,
  SessionDetailQuery,
  SessionProblem,
  SessionsPage,
  SessionsQuery,
  Shape,
  SORTS,
  Statistics,
  STATUSES,
  SummaryRow,
  Tally,
  UsageTally,
} from './sessions.ts';
export { Transcript, TranscriptQuery } from './transcript.ts';
