import type { Random } from './random.ts';
import type { Body } from './writer.ts';

export interface Dress {
  /** Windows line ends. */
  crlf: boolean;
  /** Records that were cut in the middle, and empty lines. */
  damage: boolean;
  /** The last line has no line end. */
  open: boolean;
  /** A title line before the header, as oh-my-pi writes it. */
  slot: boolean;
}

export const PLAIN: Dress = { crlf: false, damage: false, open: false, slot: false };

export function anyDress(random: Random, family: 'pi' | 'musepi'): Dress {
  return {
    crlf: random.chance(0.05),
    damage: random.chance(0.1),
    open: random.chance(0.05),
    slot: family === 'musepi' && random.chance(0.3),
  };
}

/** The bytes of a session file. */
export function dressed(records: readonly Body[], dress: Dress): string {
  const lines = records.map((record) => JSON.stringify(record));
  if (dress.damage) {
    for (let at = 3; at < lines.length; at += 7) {
      lines.splice(at, 0, at % 2 === 0 ? '' : lines[at]!.slice(0, lines[at]!.length >> 1));
    }
  }
  if (dress.slot) lines.unshift(titleLine());
  const end = dress.crlf ? '\r\n' : '\n';
  return lines.join(end) + (dress.open ? '' : end);
}

function titleLine(): string {
  const slot = { type: 'title', v: 1, title: 'A title', source: 'user', updatedAt: '2026-03-01T09:00:00.000Z', pad: '' };
  slot.pad = ' '.repeat(255 - JSON.stringify(slot).length);
  return JSON.stringify(slot);
}

/**
 * The same session as older versions wrote it: in version 1 a mere list whose compactions name what they keep by
 * position, in version 2 with `hookMessage` for custom messages.
 */
export function asOldVersion(records: readonly Body[], version: 1 | 2): Body[] {
  const [header, ...entries] = records;
  if (version === 2) return [{ ...header, version: 2 }, ...entries.map(withHookMessage)];
  const { version: _absent, ...oldHeader } = header!;
  const positions = new Map(entries.map((entry, i) => [entry['id'], i + 1]));
  return [oldHeader, ...entries.map((entry, i) => asVersion1(withHookMessage(entry), i + 1, positions))];
}

function asVersion1(entry: Body, position: number, positions: ReadonlyMap<unknown, number>): Body {
  const { id: _id, parentId: _parent, firstKeptEntryId: kept, ...rest } = entry;
  if (entry['type'] !== 'compaction') return rest;
  // A position behind the compaction itself reads differently from reader to reader.
  return { ...rest, firstKeptEntryIndex: Math.min(positions.get(kept) ?? 0, position - 1) };
}

function withHookMessage(entry: Body): Body {
  const message = entry['message'] as Body | undefined;
  return message?.['role'] === 'custom' ? { ...entry, message: { ...message, role: 'hookMessage' } } : entry;
}
