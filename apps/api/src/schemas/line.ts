import Type, { type Static } from 'typebox';

export const LineQuery = Type.Object({ raw: Type.Optional(Type.Literal('1')) });

export const LineAnswer = Type.Object({
  epoch: Type.String(),
  /** Where `octets` begin in the file. */
  byteOffset: Type.Number(),
  /** At most 64 KB. */
  byteLength: Type.Integer(),
  /** The stored bytes, a character each (U+0000 … U+00FF), without the line's end. `?raw=1` answers them as bytes. */
  octets: Type.String(),
  /** Whether the line begins where they begin, and ends where they end. */
  startsLine: Type.Boolean(),
  endsLine: Type.Boolean(),
});
export type LineAnswer = Static<typeof LineAnswer>;
