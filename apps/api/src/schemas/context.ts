import { CONTEXT_STATUSES, REASON_CODES } from '@stemma/core/pure';
import Type, { type Static } from 'typebox';

import { Json, Nullable, Page, StringEnum } from './common.ts';

export const CompactionsQuery = Type.Object({
  /** For `onPath`; the session's own leaf without it. */
  leaf: Type.Optional(Type.String({ maxLength: 400 })),
  cursor: Type.Optional(Type.String({ maxLength: 40 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
});

export const ContextQuery = Type.Object({
  leaf: Type.Optional(Type.String({ maxLength: 400 })),
  rules: Type.Optional(StringEnum(['musepi', 'pi', 'dsh'] as const)),
  bodies: Type.Optional(Type.Literal('1')),
  from: Type.Optional(Type.Integer({ minimum: 0 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
  /** `0` leaves out `entries`; `lens` says the same in runs. */
  entries: Type.Optional(StringEnum(['0', '1'] as const)),
  /** `1` answers `system`. */
  system: Type.Optional(Type.Literal('1')),
});
export type ContextQuery = Static<typeof ContextQuery>;

export const Context = Type.Object({
  epoch: Type.String(),
  leafId: Nullable(Type.String()),
  rules: StringEnum(['musepi', 'pi', 'dsh'] as const),
  settings: Type.Object({
    thinkingLevel: Type.String(),
    model: Nullable(Type.Object({ provider: Type.String(), modelId: Type.String() })),
    models: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
    serviceTier: Nullable(Json),
    mode: Type.String(),
    modeData: Type.Optional(Json),
    injectedTtsrRules: Type.Array(Type.String()),
  }),
  /** What a model call at this leaf carries, in order. `tokens` is an estimate: characters / 4, an image 1,200. */
  messages: Type.Array(
    Type.Object({
      entryId: Type.String(),
      row: Type.Integer(),
      role: Type.String(),
      tokens: Type.Integer(),
      message: Type.Optional(Json),
    }),
  ),
  tokens: Type.Integer(),
  /** The same tokens by what they are. */
  parts: Type.Object({
    system: Type.Integer(),
    summaries: Type.Integer(),
    prompts: Type.Integer(),
    answers: Type.Integer(),
    toolCalls: Type.Integer(),
    toolResults: Type.Integer(),
    images: Type.Integer(),
    commands: Type.Integer(),
    other: Type.Integer(),
  }),
  counts: Type.Unsafe<Partial<Record<(typeof CONTEXT_STATUSES)[number], number>>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
  }),
  /** Runs of rows with the same answer, in file order: [first row, rows, index into `lensKeys`]. */
  lens: Type.Array(Type.Unsafe<[number, number, number]>({ type: 'array', items: { type: 'integer' } })),
  lensKeys: Type.Array(
    Type.Object({
      status: StringEnum(CONTEXT_STATUSES),
      reason: Type.Optional(StringEnum(REASON_CODES)),
      compactionId: Type.Optional(Type.String()),
    }),
  ),
  /** With `system=1`: the system prompt and the tools in force at the leaf; null where the file says nothing. Texts over 64 KB are cut. */
  system: Type.Optional(
    Nullable(
      Type.Object({
        sections: Type.Array(Type.Object({ name: Type.String(), text: Type.String(), fromEntryId: Type.String() })),
        tools: Type.Array(
          Type.Object({ name: Type.String(), description: Type.Optional(Type.String()), fromEntryId: Type.String() }),
        ),
        /** Sections and tools that are too many to answer. */
        more: Type.Integer(),
      }),
    ),
  ),
  entries: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        status: StringEnum(CONTEXT_STATUSES),
        reason: Type.Optional(StringEnum(REASON_CODES)),
        compactionId: Type.Optional(Type.String()),
      }),
    ),
  ),
});
export type Context = Static<typeof Context>;

export const CompactionReport = Type.Object({
  entryId: Type.String(),
  row: Type.Integer(),
  time: Nullable(Type.Number()),
  onPath: Type.Boolean(),
  /** Cut after 64 KB. */
  summary: Type.String(),
  shortSummary: Nullable(Type.String()),
  tokensBefore: Nullable(Type.Number()),
  tokensAfter: Nullable(Type.Number()),
  firstKeptEntryId: Nullable(Type.String()),
  /** Entries of its path that it folded, and those it kept. */
  folded: Type.Object({
    entries: Type.Integer(),
    tokens: Type.Integer(),
    firstId: Nullable(Type.String()),
    lastId: Nullable(Type.String()),
  }),
  kept: Type.Object({
    entries: Type.Integer(),
    tokens: Type.Integer(),
    firstId: Nullable(Type.String()),
    lastId: Nullable(Type.String()),
  }),
});
export type CompactionReport = Static<typeof CompactionReport>;

export const Compactions = Page(CompactionReport);
export type Compactions = Static<typeof Compactions>;
