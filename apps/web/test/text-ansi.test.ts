import { describe, expect, it } from 'vitest';

import { parseAnsi, stripAnsi } from '../src/lib/text/ansi.ts';
import { firstWords, headLines, headParagraphs, lineCount } from '../src/lib/text/lines.ts';

const ESC = '\u001b';

describe('parseAnsi', () => {
  it('gives palette classes for the 16 colours', () => {
    expect(parseAnsi(`a${ESC}[31mred${ESC}[1;92mbright${ESC}[0mz`)).toEqual([
      { text: 'a', cls: '', fg: null, bg: null },
      { text: 'red', cls: 'a-fg-1', fg: null, bg: null },
      { text: 'bright', cls: 'a-bold a-fg-10', fg: null, bg: null },
      { text: 'z', cls: '', fg: null, bg: null },
    ]);
  });

  it('gives exact colours for the large palette and true colour', () => {
    expect(parseAnsi(`${ESC}[38;5;196mx`)[0]).toMatchObject({ fg: '#ff0000', cls: '' });
    expect(parseAnsi(`${ESC}[48;5;244mx`)[0]).toMatchObject({ bg: '#808080' });
    expect(parseAnsi(`${ESC}[38;2;1;2;300mx`)[0]).toMatchObject({ fg: '#0102ff' });
    expect(parseAnsi(`${ESC}[38;5;9mx`)[0]).toMatchObject({ fg: null, cls: 'a-fg-9' });
    expect(parseAnsi(`${ESC}[38;5;1;4mx`)[0]).toMatchObject({ cls: 'a-underline a-fg-1' });
  });

  it('ends single styles', () => {
    expect(parseAnsi(`${ESC}[1;4;35mx${ESC}[22;39my`).map((part) => part.cls)).toEqual([
      'a-bold a-underline a-fg-5',
      'a-underline',
    ]);
  });

  it('leaves out cursor movements, titles and link targets, and keeps their text', () => {
    expect(stripAnsi(`${ESC}[2K${ESC}[1Ga${ESC}]0;title\u0007b${ESC}]8;;file:///etc${ESC}\\link${ESC}]8;;${ESC}\\c`)).toBe(
      'ablinkc',
    );
    expect(stripAnsi(`x${ESC}`)).toBe('x');
    expect(stripAnsi(`x${ESC}(By`)).toBe('xy');
  });

  it('shows what a line that overwrites itself ended as', () => {
    expect(stripAnsi('first\n10 %\r50 %\r100 %\ndone\r\n')).toBe('first\n100 %\ndone\r\n');
    expect(stripAnsi(`a\n${ESC}[31m1 %\r${ESC}[32m2 %`)).toBe('a\n2 %');
    expect(stripAnsi('kept\r')).toBe('kept');
    expect(stripAnsi('helllo\b\b\bo world')).toBe('helo world');
  });

  it('never makes HTML', () => {
    expect(parseAnsi('<b>&amp;</b>')).toEqual([{ text: '<b>&amp;</b>', cls: '', fg: null, bg: null }]);
  });

  it('is linear in many short sequences', () => {
    const started = performance.now();
    parseAnsi(`${ESC}[31mx${ESC}[0m\r`.repeat(20_000));
    expect(performance.now() - started).toBeLessThan(1_500);
  });
});

describe('lines', () => {
  it('counts lines as editors do', () => {
    expect([lineCount(''), lineCount('a'), lineCount('a\n'), lineCount('a\n\nb')]).toEqual([0, 1, 1, 3]);
  });

  it('takes the head and says how much follows', () => {
    expect(headLines('a\nb\nc\nd\n', 2)).toEqual({ text: 'a\nb', rest: 2 });
    expect(headLines('a\nb', 5)).toEqual({ text: 'a\nb', rest: 0 });
  });

  it('cuts first words at a space, and never inside a character', () => {
    expect(firstWords('the cookie  is\nprobably set', 16)).toBe('the cookie is…');
    expect(firstWords('一二三四五', 3)).toBe('一二三…');
    expect(firstWords('ab😀cd', 3)).toBe('ab…');
  });

  it('takes the first paragraphs, else the first lines, else the first characters', () => {
    expect(headParagraphs('one\n\ntwo\n\nthree', 12)).toBe('one\n\ntwo');
    expect(headParagraphs('one\ntwo\nthree', 9)).toBe('one\ntwo');
    expect(headParagraphs('abcdefghij', 4)).toBe('abcd');
    expect(headParagraphs('short', 9)).toBe('short');
  });
});
