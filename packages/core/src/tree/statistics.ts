import { message } from '../entries/message.ts';
import { assistant } from '../entries/roles/assistant.ts';
import { user } from '../entries/roles/user.ts';
import type { Outline } from '../outline/outline.ts';
import { pathMarks } from './path.ts';

/** What a set of entries amounts to. null: the file does not say. */
export interface Tally {
  entries: number;
  messages: number;
  prompts: number;
  answers: number;
  toolCalls: number;
  errors: number;
  input: number | null;
  output: number | null;
  cacheRead: number | null;
  cacheWrite: number | null;
  /** input + output + cacheRead + cacheWrite */
  tokens: number | null;
  /** USD */
  cost: number | null;
}

export interface Statistics {
  /** The path to the leaf. */
  active: Tally;
  /** Everything else. */
  abandoned: Tally;
  total: Tally;
}

export function statistics(outline: Outline, leafRow: number): Statistics {
  const onPath = pathMarks(outline.parents(), leafRow);
  const active = emptyTally();
  const abandoned = emptyTally();
  for (let row = 0; row < outline.rowCount; row++) count(outline, row, onPath[row] === 1 ? active : abandoned);
  return { active, abandoned, total: sum(active, abandoned) };
}

function emptyTally(): Tally {
  return {
    entries: 0,
    messages: 0,
    prompts: 0,
    answers: 0,
    toolCalls: 0,
    errors: 0,
    input: null,
    output: null,
    cacheRead: null,
    cacheWrite: null,
    tokens: null,
    cost: null,
  };
}

function count(outline: Outline, row: number, tally: Tally): void {
  tally.entries++;
  const role = outline.role(row);
  if (outline.type(row) === message.type) tally.messages++;
  if (role === user.role) tally.prompts++;
  if (role === assistant.role) {
    tally.answers++;
    if (outline.has(row, 'hasToolCalls')) tally.toolCalls += outline.calls(row).length;
  }
  if (outline.has(row, 'error')) tally.errors++;
  const usage = outline.usage(row);
  if (usage === null) return;
  tally.input = plus(tally.input, usage.input);
  tally.output = plus(tally.output, usage.output);
  tally.cacheRead = plus(tally.cacheRead, usage.cacheRead);
  tally.cacheWrite = plus(tally.cacheWrite, usage.cacheWrite);
  tally.cost = plus(tally.cost, usage.cost);
  tally.tokens = plus(tally.tokens, outline.tokens(row));
}

function plus(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : a + b;
}

function sum(a: Tally, b: Tally): Tally {
  const total = emptyTally();
  for (const key of Object.keys(total) as (keyof Tally)[]) total[key] = plus(a[key], b[key]) as number;
  return total;
}
