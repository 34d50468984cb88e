import { describe, expect, it } from 'vitest';

import { parseDiff, type DiffView } from '../src/lib/text/diff.ts';
import { diffTexts, withWords } from '../src/lib/text/diff-compute.ts';

const SIGN = { same: ' ', add: '+', del: '-', gap: '~', file: '#' };
const shape = (view: DiffView | null): string[] | undefined =>
  view?.rows.map((row) => `${SIGN[row.kind]}${row.oldNo ?? ''}:${row.newNo ?? ''} ${row.text}`);

describe('parseDiff', () => {
  it('reads a unified diff with the numbers of its hunks', () => {
    const view = parseDiff('--- a/app.ts\n+++ b/app.ts\n@@ -12,3 +12,4 @@\n one\n-two\n+2\n+2b\n three\n@@ -40 +41 @@\n-x\n+y\n');
    expect(shape(view)).toEqual([' 12:12 one', '-13: two', '+:13 2', '+:14 2b', ' 14:15 three', '~: ', '-40: x', '+:41 y']);
    expect(view).toMatchObject({ added: 3, removed: 2, numbered: true });
  });

  it('reads the numbered form, where unchanged lines carry the old number', () => {
    const view = parseDiff('     ...\n  9 a\n-10 b\n+10 B\n+11 B2\n 11 c\n     ...');
    expect(shape(view)).toEqual(['~: ', ' 9:9 a', '-10: b', '+:10 B', '+:11 B2', ' 11:12 c', '~: ']);
  });

  it('reads the numbered form with bars and keeps leading spaces', () => {
    expect(shape(parseDiff(' 7|  x\n-8|\ty\n+8|'))).toEqual([' 7:7   x', '-8: \ty', '+:8 ']);
  });

  it('names the files of a patch over several files', () => {
    const view = parseDiff('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-1\n+2');
    expect(view?.rows.filter((row) => row.kind === 'file').map((row) => row.text)).toEqual(['b/x', 'b/y']);
    expect(view).toMatchObject({ added: 2, removed: 2 });
  });

  it('keeps a removed line that looks like a file header', () => {
    expect(shape(parseDiff('@@ -1,2 +1 @@\n--- old comment\n x'))).toEqual(['-1: -- old comment', ' 2:1 x']);
  });

  it('says no to other text', () => {
    expect(parseDiff('hello\nworld')).toBeNull();
    expect(parseDiff('')).toBeNull();
    expect(parseDiff(' 1 only context')).toBeNull();
  });
});

describe('diffTexts', () => {
  it('shows the changed lines between three lines of context', () => {
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`);
    const after = lines.with(10, 'changed');
    const view = diffTexts(lines.join('\n'), after.join('\n'));
    expect(view.rows.map((row) => SIGN[row.kind]).join('')).toBe('~   -+   ~');
    expect(view).toMatchObject({ added: 1, removed: 1, numbered: false });
  });

  it('marks the words that differ in lines that belong together', () => {
    const [del, add] = withWords(diffTexts('app.use(requireLogin)\n', 'app.use(path, requireLogin)\n')).rows;
    expect(del?.parts?.map((part) => part.text).join('')).toBe('app.use(requireLogin)');
    expect(
      add?.parts
        ?.filter((part) => part.changed)
        .map((part) => part.text)
        .join(''),
    ).toContain('path');
    expect(withWords(diffTexts('alpha', 'omega zeta')).rows.every((row) => row.parts === undefined)).toBe(true);
  });

  it('handles empty sides', () => {
    expect(shape(diffTexts('', 'a\nb'))).toEqual(['+: a', '+: b']);
    expect(shape(diffTexts('a', ''))).toEqual(['-: a']);
    expect(diffTexts('', '').rows).toEqual([]);
  });

  it('gives up fine comparison of huge different texts instead of hanging', () => {
    const side = (word: string): string => Array.from({ length: 6_000 }, (_, i) => `${word} ${i}`).join('\n');
    const started = performance.now();
    const view = diffTexts(side('a'), side('b'));
    expect(view).toMatchObject({ added: 6_000, removed: 6_000 });
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
