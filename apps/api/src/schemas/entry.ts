import Type, { type Static } from 'typebox';

import { Json } from './common.ts';

export const EntryQuery = Type.Object({ raw: Type.Optional(Type.Literal('1')) });
export type EntryQuery = Static<typeof EntryQuery>;

export const EntryAnswer = Type.Object({
  epoch: Type.String(),
  entryId: Type.String(),
  row: Type.Integer(),
  /** 1-based physical line. */
  line: Type.Integer(),
  byteOffset: Type.Number(),
  byteLength: Type.Number(),
  /** The stored value, not migrated. Strings over 64 KB are cut and named in `truncated`. */
  entry: Json,
  /** The stored text; cut after 256 KB. `?raw=1` answers all bytes. */
  raw: Type.String(),
  truncated: Type.Optional(Type.Object({ bytes: Type.Number() })),
});
export type EntryAnswer = Static<typeof EntryAnswer>;
