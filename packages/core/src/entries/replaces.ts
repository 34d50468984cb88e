import type { RawRecord } from './entry.ts';
import { asRecord, asString } from './read.ts';

const TO = '..';

/** The entries that one takes the place of in the model's context (DeepSeek Harness), as `first..last`; null for none. */
export function replacedSpan(entry: RawRecord): string | null {
  const { from, to } = asRecord(entry['replaces']);
  const [first, last] = [asString(from), asString(to)];
  return first === null || last === null ? null : first + TO + last;
}

/** The ids of such a span; null where the text is none. */
export function spanEnds(span: string): { from: string; to: string } | null {
  const at = span.indexOf(TO);
  return at < 0 ? null : { from: span.slice(0, at), to: span.slice(at + TO.length) };
}
