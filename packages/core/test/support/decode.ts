import { SessionDecoder, type Outline } from '../../src/pure.ts';
import type { SessionBuilder } from '../../src/testing/index.ts';

export interface Decoded {
  decoder: SessionDecoder;
  outline: Outline;
  /** `code@line`, in the order found. */
  problems: string[];
  ids: string[];
  /** `id: parent`, `-` for roots. */
  parents: string[];
}

/** Decodes a whole session at once. */
export function decode(source: SessionBuilder | string | Uint8Array): Decoded {
  const bytes =
    typeof source === 'string' ? new TextEncoder().encode(source) : source instanceof Uint8Array ? source : source.bytes();
  const decoder = new SessionDecoder();
  decoder.push(bytes);
  decoder.settle();
  return describeDecoder(decoder);
}

export function describeDecoder(decoder: SessionDecoder): Decoded {
  const { outline } = decoder;
  const rows = rowsOf(outline);
  return {
    decoder,
    outline,
    problems: decoder.problems.map(({ code, line }) => `${code}@${String(line)}`),
    ids: rows.map((row) => outline.id(row)),
    parents: rows.map((row) => `${outline.id(row)}: ${outline.parent(row) < 0 ? '-' : outline.id(outline.parent(row))}`),
  };
}

export function rowsOf(outline: Outline): number[] {
  return Array.from({ length: outline.rowCount }, (_, row) => row);
}

/** Everything that the outline says, for comparing two of them. */
export function columnsOf(outline: Outline): unknown[] {
  return rowsOf(outline).map((row) => [
    outline.id(row),
    outline.parent(row),
    outline.cutParent(row),
    outline.type(row),
    outline.role(row),
    outline.title(row),
    outline.time(row),
    outline.offset(row),
    outline.bytes(row),
    outline.line(row),
    outline.record(row),
    outline.flags(row),
    outline.estimate(row),
    outline.usage(row),
    outline.model(row),
    outline.stopReason(row),
    outline.calls(row),
    outline.callCount(row),
    outline.chars(row),
    outline.checkpointChars(row),
    outline.archiveChars(row),
    outline.responseId(row),
    outline.blobs(row),
    outline.name(row),
    outline.target(row),
    outline.kept(row),
    outline.setting(row),
    outline.compactionTokens(row),
  ]);
}
