import { TRANSCRIPT_KINDS, type TranscriptItem } from '@stemma/core/pure';
import Type, { type Static } from 'typebox';

import { Nullable, StringEnum } from './common.ts';

export const TranscriptQuery = Type.Object({
  leaf: Type.Optional(Type.String({ maxLength: 400 })),
  around: Type.Optional(Type.String({ maxLength: 400 })),
  before: Type.Optional(Type.String({ maxLength: 400 })),
  after: Type.Optional(Type.String({ maxLength: 400 })),
  /** Entries, not items. */
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
  history: Type.Optional(StringEnum(['full', 'model'] as const)),
});
export type TranscriptQuery = Static<typeof TranscriptQuery>;

export const Transcript = Type.Object({
  epoch: Type.String(),
  leafId: Nullable(Type.String()),
  /** The entries that this page covers, oldest first, also those without an item of their own. */
  covers: Type.Array(Type.String()),
  items: Type.Array(
    Type.Unsafe<TranscriptItem>({
      type: 'object',
      required: ['id', 'kind', 'entryId'],
      properties: { id: { type: 'string' }, kind: { enum: [...TRANSCRIPT_KINDS] }, entryId: { type: 'string' } },
      additionalProperties: true,
    }),
  ),
  /** The entry to ask `before`, or null at the start. */
  before: Nullable(Type.String()),
  /** The entry to ask `after`, or null at the leaf. */
  after: Nullable(Type.String()),
});
export type Transcript = Static<typeof Transcript>;
