import { PROBLEM_CODES } from '@stemma/core/pure';
import Type, { type Static, type TSchema } from 'typebox';

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const StringEnum = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });

export const Problem = Type.Object({
  code: StringEnum(PROBLEM_CODES),
  severity: StringEnum(['info', 'warning', 'error'] as const),
  message: Type.String(),
  line: Type.Optional(Type.Integer()),
  byteOffset: Type.Optional(Type.Number()),
  entryId: Type.Optional(Type.String()),
  path: Type.Optional(Type.String()),
});
export type Problem = Static<typeof Problem>;

export const ErrorBody = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    details: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
  }),
});
export type ErrorBody = Static<typeof ErrorBody>;

export const Page = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), total: Type.Integer(), nextCursor: Nullable(Type.String()) });

/** A JSON value of any form, passed on as it is. */
export const Json = Type.Unsafe<unknown>({});

export const SessionKeyParams = Type.Object({ key: Type.String({ maxLength: 120 }) });
export const EntryParams = Type.Object({ key: Type.String({ maxLength: 120 }), entryId: Type.String({ maxLength: 400 }) });
export const LineParams = Type.Object({
  key: Type.String({ maxLength: 120 }),
  /** Offset of a byte of the line. */
  at: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
});
export const ImageParams = Type.Object({
  key: Type.String({ maxLength: 120 }),
  entryId: Type.String({ maxLength: 400 }),
  /** The n-th image of the entry, as transcript items count them. */
  n: Type.Integer({ minimum: 0, maximum: 100_000 }),
});
export const BlobParams = Type.Object({ sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) });

/** Bytes out of a session: an image of a known kind, or a download. Nothing of it is written as JSON. */
export const Bytes = {
  description: 'The bytes: png, jpeg, gif, webp, avif or bmp as such, anything else as an attachment',
  content: { '*/*': { schema: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) } },
};
