import { diffLines, diffWordsWithSpace } from 'diff';

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

const CONTEXT_LINES = 3;
/** Past so many differing lines the texts are shown as replaced whole; a finer answer would take seconds. */
const MAX_EDITS = 2_000;
const WORD_LINE_LIMIT = 400;

function finish(rows: DiffRow[]): DiffView {
  const count = (kind: DiffRow['kind']): number => rows.reduce((sum, row) => sum + (row.kind === kind ? 1 : 0), 0);
  markWords(rows);
  return {
    rows,
    added: count('add'),
    removed: count('del'),
    numbered: rows.some((row) => row.oldNo !== null || row.newNo !== null),
  };
}

/** Pairs each removed line of a change with the added line at the same place and marks the words that differ. */
function markWords(rows: DiffRow[]): void {
  for (let at = 0; at < rows.length; at++) {
    if (rows[at]!.kind !== 'del') continue;
    const from = at;
    while (rows[at]?.kind === 'del') at++;
    const dels = at - from;
    let adds = 0;
    while (rows[at + adds]?.kind === 'add') adds++;
    if (adds === dels) for (let i = 0; i < dels; i++) markPair(rows[from + i]!, rows[at + i]!);
    at += adds - 1;
  }
}

function markPair(del: DiffRow, add: DiffRow): void {
  if (del.text.length > WORD_LINE_LIMIT || add.text.length > WORD_LINE_LIMIT) return;
  const changes = diffWordsWithSpace(del.text, add.text);
  const same = changes.reduce((sum, part) => sum + (part.added || part.removed ? 0 : part.value.trim().length), 0);
  // Lines with little in common are replaced, not edited: marking most of the words says nothing.
  if (same * 3 < Math.max(del.text.trim().length, add.text.trim().length)) return;
  del.parts = changes.filter((part) => !part.added).map((part) => ({ text: part.value, changed: part.removed }));
  add.parts = changes.filter((part) => !part.removed).map((part) => ({ text: part.value, changed: part.added }));
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
  return rows === null ? null : finish(rows);
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split(/\r?\n/);
}

function plainRows(kind: 'add' | 'del' | 'same', lines: string[]): DiffRow[] {
  return lines.map((text) => ({ kind, oldNo: null, newNo: null, text }));
}

/** Keeps `CONTEXT_LINES` unchanged lines beside a change and leaves out the middle. */
function shorten(lines: string[], first: boolean, last: boolean): DiffRow[] {
  const head = first ? 0 : CONTEXT_LINES;
  const tail = last ? 0 : CONTEXT_LINES;
  if (lines.length <= head + tail + 1) return plainRows('same', lines);
  const gap: DiffRow = { kind: 'gap', oldNo: null, newNo: null, text: '' };
  return [...plainRows('same', lines.slice(0, head)), gap, ...plainRows('same', lines.slice(lines.length - tail))];
}

/** The difference of two snippets, whose place in the file is not known: rows without numbers. */
export function diffTexts(before: string, after: string): DiffView {
  const changes = diffLines(before, after, { maxEditLength: MAX_EDITS, stripTrailingCr: true });
  if (changes === undefined) return finish([...plainRows('del', linesOf(before)), ...plainRows('add', linesOf(after))]);
  const rows: DiffRow[] = [];
  for (const [index, change] of changes.entries()) {
    const lines = linesOf(change.value);
    if (change.added) for (const row of plainRows('add', lines)) rows.push(row);
    else if (change.removed) for (const row of plainRows('del', lines)) rows.push(row);
    else for (const row of shorten(lines, index === 0, index === changes.length - 1)) rows.push(row);
  }
  return finish(rows);
}
