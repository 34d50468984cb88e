import type { SessionHeader } from '../entries/entry.ts';
import type { Span } from './stored-head.ts';

/** A title line takes so many bytes with its line feed, so that a title can be written over another. */
export const SLOT_BYTES = 256;

const encoder = new TextEncoder();

/** The title line for a header, with its line feed. A title that does not fit is cut between two characters. */
export function slotLine({ title = '', titleSource }: SessionHeader, nowMs: number): Uint8Array {
  const source = titleSource === 'auto' || titleSource === 'user' ? { source: titleSource } : {};
  const line = (text: string, pad: string): string =>
    JSON.stringify({ type: 'title', v: 1, title: text, ...source, updatedAt: new Date(nowMs).toISOString(), pad });
  const room = SLOT_BYTES - 1 - encoder.encode(line('', '')).length;
  let used = 0;
  let end = 0;
  for (const character of title) {
    const bytes = encoder.encode(JSON.stringify(character)).length - 2;
    if (used + bytes > room) break;
    used += bytes;
    end += character.length;
  }
  return encoder.encode(`${line(title.slice(0, end), ' '.repeat(room - used))}\n`);
}

/** Can another title be written over this line? */
export function isRoomy({ offset, length }: Span): boolean {
  return offset === 0 && length === SLOT_BYTES - 1;
}

/** Do two headers differ in nothing but their title and its source? */
export function sameButTitle(one: SessionHeader, other: SessionHeader): boolean {
  return sameHeader({ ...one, ...NO_TITLE }, { ...other, ...NO_TITLE });
}

/** Do two headers say the same? */
export function sameHeader(one: SessionHeader, other: SessionHeader): boolean {
  return one === other || sorted(one) === sorted(other);
}

const NO_TITLE = { title: '', titleSource: '' };

function sorted(header: SessionHeader): string {
  return JSON.stringify(Object.entries(header).sort(([a], [b]) => (a < b ? -1 : 1)));
}
