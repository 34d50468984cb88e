import Type, { type Static } from 'typebox';

import { Nullable, Problem } from './common.ts';

export const Root = Type.Object({
  id: Type.String(),
  dialect: Type.String(),
  /** For display only. */
  path: Type.String(),
  sessionCount: Type.Integer(),
  problems: Type.Array(Problem),
  demo: Type.Boolean(),
});
export type Root = Static<typeof Root>;

export const Roots = Type.Object({
  items: Type.Array(Root),
  /** Where the server looked for agent folders, and what it found there. For the empty state. */
  looked: Type.Array(Type.Object({ path: Type.String(), found: Type.Boolean() })),
});
export type Roots = Static<typeof Roots>;

/** Progress of the counting that runs behind the library. */
export const Indexing = Type.Object({
  /** Sessions whose counts are known. */
  done: Type.Integer(),
  total: Type.Integer(),
  bytesDone: Type.Number(),
  bytesTotal: Type.Number(),
  /** Bytes a second over the last seconds; null before there is a figure. */
  rate: Nullable(Type.Number()),
  running: Type.Boolean(),
});
export type Indexing = Static<typeof Indexing>;

export const Health = Type.Object({
  ok: Type.Boolean(),
  version: Type.String(),
  demo: Type.Boolean(),
  sessions: Type.Integer(),
  problems: Type.Integer(),
  indexing: Indexing,
});
export type Health = Static<typeof Health>;

/** The sessions of one root that were held in one working directory. */
export const Project = Type.Object({
  id: Type.String(),
  rootId: Type.String(),
  cwd: Nullable(Type.String()),
  /** cwd with the home folder written as ~. */
  label: Type.String(),
  sessionCount: Type.Integer(),
  modified: Nullable(Type.Number()),
});
export type Project = Static<typeof Project>;

export const Projects = Type.Object({ items: Type.Array(Project) });
export type Projects = Static<typeof Projects>;
