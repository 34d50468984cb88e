import type { ToolCallItem, ToolOutcome } from '@stemma/core/pure';

import type { Differ } from '../state.svelte.ts';
import { parseDiff, type DiffView } from '../../text/diff.ts';
import { asRecord, inlineJson, numberField, textField } from '../../text/json.ts';

/** How a tool is shown. The names are those of the agents; everything else is shown as JSON. */
export type ToolStyle = 'bash' | 'read' | 'write' | 'edit' | 'search' | 'other';

const STYLES: Readonly<Record<ToolStyle, string>> = {
  bash: 'bash shell exec run_command execute_command terminal run_shell_command local_shell',
  read: 'read read_file view view_file cat open_file',
  write: 'write write_file create_file create',
  edit: 'edit edit_file multi_edit multiedit str_replace str_replace_editor apply_patch patch replace',
  search: 'grep search rg find glob ls list list_dir search_files',
  other: '',
};
const BY_NAME = new Map(
  Object.entries(STYLES).flatMap(([style, names]) => names.split(' ').map((name) => [name, style as ToolStyle] as const)),
);

export function toolStyle(name: string): ToolStyle {
  return (name === '' ? undefined : BY_NAME.get(name.toLowerCase())) ?? 'other';
}

export function toolPath(args: unknown): string | null {
  return textField(args, 'path', 'file_path', 'filePath', 'filename', 'file');
}

export function toolCommand(args: unknown): string | null {
  const command = asRecord(args)?.['command'];
  if (Array.isArray(command)) return command.map(String).join(' ');
  return textField(args, 'command', 'cmd', 'script');
}

/** `path:10-80` of a read; the range as far as it is said. */
function readPlace(args: unknown): string | null {
  const path = toolPath(args);
  const offset = numberField(args, 'offset', 'start_line', 'startLine');
  const limit = numberField(args, 'limit');
  const end = numberField(args, 'end_line', 'endLine') ?? (limit === null ? null : (offset ?? 1) + limit - 1);
  if (path === null || (offset === null && end === null)) return path;
  return `${path}:${offset ?? 1}${end === null ? '–' : `–${end}`}`;
}

function searchPlace(args: unknown): string | null {
  const pattern = textField(args, 'pattern', 'query', 'regex', 'glob');
  const path = toolPath(args) ?? textField(args, 'dir', 'directory');
  if (pattern === null) return path;
  return path === null ? pattern : `${pattern}  ${path}`;
}

/** The one line that says what a call is about, from its arguments. May be empty. */
export function toolLine(style: ToolStyle, args: unknown): string {
  const line = {
    bash: toolCommand,
    read: readPlace,
    write: toolPath,
    edit: toolPath,
    search: searchPlace,
    other: () => null,
  }[style](args);
  if (line !== null) return line;
  return args === null || args === undefined ? '' : inlineJson(args, 300);
}

/** The text parts of a result, one after another. */
export function resultText(result: ToolOutcome | null): string {
  const texts = (result?.parts ?? []).map((part) => (part.type === 'text' ? part.text : ''));
  return texts.filter((text) => text !== '').join('\n');
}

/** The code of an error that a result states. */
export function errorCode(result: ToolOutcome | null): string | null {
  const error = asRecord(asRecord(result?.details)?.['error']);
  return textField(error, 'code', 'name');
}

/** Pairs of old and new text that an edit names in its arguments. */
function editPairs(args: unknown): { before: string; after: string }[] {
  const edits = asRecord(args)?.['edits'];
  return (Array.isArray(edits) ? edits : [args]).flatMap((edit: unknown) => {
    const before = textField(edit, 'oldText', 'old_text', 'old_string', 'old_str');
    const after = textField(edit, 'newText', 'new_text', 'new_string', 'new_str');
    return before === null && after === null ? [] : [{ before: before ?? '', after: after ?? '' }];
  });
}

/**
 * The diff of an edit: what the tool itself reported, else computed from its arguments; null when neither gives one.
 * Without `differ` (it is fetched apart) nothing is computed and no words are marked.
 */
export function editDiff(item: Pick<ToolCallItem, 'args' | 'result'>, differ: Differ | null): DiffView | null {
  const reported = textField(item.result?.details, 'diff', 'patch');
  const given = reported ?? textField(item.args, 'patch', 'diff', 'input');
  const parsed = given === null ? null : parseDiff(given);
  if (parsed !== null) return differ?.withWords(parsed) ?? parsed;
  if (differ === null) return null;
  const views = editPairs(item.args).map((pair) => differ.diffTexts(pair.before, pair.after));
  if (views.length === 0) return null;
  const gap = { kind: 'gap', oldNo: null, newNo: null, text: '' } as const;
  return differ.withWords({
    rows: views.flatMap((view, index) => (index === 0 ? view.rows : [gap, ...view.rows])),
    added: views.reduce((sum, view) => sum + view.added, 0),
    removed: views.reduce((sum, view) => sum + view.removed, 0),
    numbered: false,
  });
}
