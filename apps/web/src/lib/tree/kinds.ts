import { hasFlag } from '@stemma/core/pure';

import type { OutlineColumns } from '../session/columns.ts';

/** The families of entries that have a colour token of the same name. */
export type EntryKind = 'prompt' | 'answer' | 'tool' | 'summary' | 'compaction' | 'setting' | 'error';

/** A letter for each kind: colour never stands alone. Compactions and errors are drawn instead. */
export type KindMark = '›' | 'a' | 't' | '$' | '±' | 'Σ' | '·' | 'compaction' | 'error';

const ROLE_KINDS: Readonly<Record<string, EntryKind>> = {
  user: 'prompt',
  assistant: 'answer',
  toolResult: 'tool',
  bashExecution: 'tool',
  pythonExecution: 'tool',
};

const TYPE_KINDS: Readonly<Record<string, EntryKind>> = { compaction: 'compaction', branch_summary: 'summary' };

type KindColumns = Pick<OutlineColumns, 'type' | 'role' | 'flags'>;

/** Marks of the tools that every agent has, by the name that their titles begin with. */
const TOOL_MARKS: Readonly<Record<string, KindMark>> = { bash: '$', python: '$', edit: '±', write: '±' };

/** The kind of a row; failed and aborted messages are `error`, everything that is no message a `setting`. */
export function kindOf(columns: KindColumns, row: number): EntryKind {
  const type = columns.type[row] ?? '';
  if (type !== 'message') return TYPE_KINDS[type] ?? 'setting';
  const flags = columns.flags[row];
  if (hasFlag(flags, 'error') || hasFlag(flags, 'aborted')) return 'error';
  return ROLE_KINDS[columns.role[row] ?? ''] ?? 'setting';
}

/** The mark of a row. */
export function markOf(columns: KindColumns & Pick<OutlineColumns, 'title'>, row: number): KindMark {
  const kind = kindOf(columns, row);
  switch (kind) {
    case 'prompt':
      return '›';
    case 'answer':
      return 'a';
    case 'tool':
      return columns.role[row] === 'toolResult' ? (TOOL_MARKS[/^\w+/.exec(columns.title[row] ?? '')?.[0] ?? ''] ?? 't') : '$';
    case 'summary':
      return 'Σ';
    case 'setting':
      return '·';
    default:
      return kind;
  }
}

export function isPrompt(columns: Pick<OutlineColumns, 'type' | 'role'>, row: number): boolean {
  return columns.type[row] === 'message' && columns.role[row] === 'user';
}
