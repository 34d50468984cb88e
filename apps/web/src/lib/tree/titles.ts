import { hasFlag } from '@stemma/core/pure';

import type { OutlineColumns } from '../session/columns.ts';

type TitleColumns = Pick<OutlineColumns, 'type' | 'role' | 'flags' | 'title' | 'parent'>;

/** Colour codes of terminals, with or without their escape character. */
const ANSI = /\s?\u001b?\[[0-9;]{1,12}m/g; // eslint-disable-line no-control-regex

const firstWord = (text: string): string => text.slice(0, Math.max(0, text.indexOf(' ')) || text.length);

/**
 * The line that stands for an entry, without line breaks; empty when it has no text. A tool's result shows the call
 * where that is known from the turn before it: what was done says more than the first words of its output.
 */
export function titleOf(columns: TitleColumns, row: number): string {
  const title = columns.title[row] ?? '';
  if (columns.role[row] !== 'toolResult') return title.replace(/\s+/g, ' ').trim();
  const parent = columns.parent[row] ?? -1;
  const call = columns.title[parent] ?? '';
  const silentTurn = columns.role[parent] === 'assistant' && !hasFlag(columns.flags[parent], 'hasText');
  if (silentTurn && firstWord(call) === firstWord(title)) return call.replace(/\s+/g, ' ').trim();
  return title.replace(ANSI, '').replace(/\s+/g, ' ').trim();
}
