import { diffLines, diffWordsWithSpace } from 'diff';

import { viewOf, type DiffRow, type DiffView } from './diff.ts';

// What needs the library: its own chunk, fetched when a session shows its first edit.

const CONTEXT_LINES = 3;
/** Past so many differing lines the texts are shown as replaced whole; a finer answer would take seconds. */
const MAX_EDITS = 2_000;
const WORD_LINE_LIMIT = 400;

/** Pairs each removed line of a change with the added line at the same place and marks the words that differ. */
export function withWords(view: DiffView): DiffView {
  const rows = view.rows.map((row) => ({ ...row }));
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
  return { ...view, rows };
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
  if (changes === undefined) return viewOf([...plainRows('del', linesOf(before)), ...plainRows('add', linesOf(after))]);
  const rows: DiffRow[] = [];
  for (const [index, change] of changes.entries()) {
    const lines = linesOf(change.value);
    if (change.added) for (const row of plainRows('add', lines)) rows.push(row);
    else if (change.removed) for (const row of plainRows('del', lines)) rows.push(row);
    else for (const row of shorten(lines, index === 0, index === changes.length - 1)) rows.push(row);
  }
  return viewOf(rows);
}
