/** A stretch of a changed line; `changed` marks the words that differ. */
export interface DiffPart {
  text: string;
  changed: boolean;
}
export interface DiffRow {
  /** `gap`: lines left out; `file`: the name of the next file of a patch. */
  kind: 'same' | 'add' | 'del' | 'gap' | 'file';
  /** 1-based line numbers; null where the side has no such line, or where they are not known. */
  oldNo: number | null;
  newNo: number | null;
  text: string;
  /** Word-level parts, where a removed and an added line belong together. */
  parts?: DiffPart[];
}
export interface DiffView {
  rows: DiffRow[];
  added: number;
  removed: number;
  /** Whether any line number is known. */
  numbered: boolean;
}

/** A view of rows. */
export function viewOf(rows: DiffRow[]): DiffView {
  const count = (kind: DiffRow['kind']): number => rows.reduce((sum, row) => sum + (row.kind === kind ? 1 : 0), 0);
  return {
    rows,
    added: count('add'),
    removed: count('del'),
    numbered: rows.some((row) => row.oldNo !== null || row.newNo !== null),
  };
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** A unified diff; null when the text holds no hunk. */
function parseUnified(lines: string[]): DiffRow[] | null {
  const rows: DiffRow[] = [];
  const files = lines.filter((line) => line.startsWith('+++ ')).length;
  let oldNo = 0;
  let newNo = 0;
  let inside = false;
  for (const [index, line] of lines.entries()) {
    const hunk = HUNK.exec(line);
    const header = line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ ') === true;
    if (hunk) {
      if (inside) rows.push({ kind: 'gap', oldNo: null, newNo: null, text: '' });
      inside = true;
      oldNo = Number(hunk[1]);
      newNo = Number(hunk[2]);
    } else if (header) {
      inside = false;
      if (files > 1) rows.push({ kind: 'file', oldNo: null, newNo: null, text: lines[index + 1]!.slice(4) });
    } else if (!inside || line.startsWith('\\')) continue;
    else if (line.startsWith('+')) rows.push({ kind: 'add', oldNo: null, newNo: newNo++, text: line.slice(1) });
    else if (line.startsWith('-')) rows.push({ kind: 'del', oldNo: oldNo++, newNo: null, text: line.slice(1) });
    else rows.push({ kind: 'same', oldNo: oldNo++, newNo: newNo++, text: line.slice(1) });
  }
  return rows.some((row) => row.kind !== 'file') ? rows : null;
}

const NUMBERED = /^([ +-])\s*(\d+)(?:[ |](.*))?$/;
const SKIPPED = /^\s*(?:\.\.\.|…)\s*$/;

/** The agents' own form: sign, line number, text; `...` where lines are left out. Null when a line is not of it. */
function parseNumbered(lines: string[]): DiffRow[] | null {
  const rows: DiffRow[] = [];
  let shift = 0;
  for (const line of lines) {
    const match = NUMBERED.exec(line);
    if (SKIPPED.test(line)) rows.push({ kind: 'gap', oldNo: null, newNo: null, text: '' });
    else if (!match) return null;
    else {
      const no = Number(match[2]);
      const text = match[3] ?? '';
      // Unchanged lines carry the old number; added minus removed lines so far give the new one.
      if (match[1] === '+') rows.push({ kind: 'add', oldNo: null, newNo: no, text });
      else if (match[1] === '-') rows.push({ kind: 'del', oldNo: no, newNo: null, text });
      else rows.push({ kind: 'same', oldNo: no, newNo: no + shift, text });
      shift += match[1] === '+' ? 1 : match[1] === '-' ? -1 : 0;
    }
  }
  return rows.some((row) => row.kind === 'add' || row.kind === 'del') ? rows : null;
}

/** A diff as an agent stored it, unified or with a number on each line; null when it is neither. */
export function parseDiff(text: string): DiffView | null {
  const lines = text.replace(/\n$/, '').split(/\r?\n/);
  const rows = parseUnified(lines) ?? parseNumbered(lines);
  return rows === null ? null : viewOf(rows);
}
