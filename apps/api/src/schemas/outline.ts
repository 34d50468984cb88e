import Type, { type Static } from 'typebox';

import { Nullable } from './common.ts';

export const OutlineQuery = Type.Object({
  from: Type.Optional(Type.Integer({ minimum: 0 })),
  epoch: Type.Optional(Type.String({ maxLength: 80 })),
  /** Rows in one answer, 50,000 by default. */
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
});
export type OutlineQuery = Static<typeof OutlineQuery>;

/**
 * Rows in file order. While a session is still being decoded `complete` is false and the rows known so far are
 * answered: ask again from `from + id.length`. `flags` is the bitmask of `FLAG` in `@stemma/core/pure`.
 */
export const Outline = Type.Object({
  epoch: Type.String(),
  from: Type.Integer(),
  /** Rows known now. */
  total: Type.Integer(),
  complete: Type.Boolean(),
  progress: Type.Object({ bytes: Type.Number(), totalBytes: Type.Number() }),
  /** null while it is not known yet, or without entries. */
  leafId: Nullable(Type.String()),
  columns: Type.Object({
    id: Type.Array(Type.String()),
    parent: Type.Array(Type.Integer()),
    type: Type.Array(Type.String()),
    role: Type.Array(Type.String()),
    title: Type.Array(Type.String()),
    time: Type.Array(Nullable(Type.Number())),
    bytes: Type.Array(Type.Integer()),
    tokens: Type.Array(Nullable(Type.Number())),
    flags: Type.Array(Type.Integer()),
  }),
});
export type Outline = Static<typeof Outline>;
