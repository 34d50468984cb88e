// @vitest-environment node
import { describe, expect, it } from 'vitest';

import { octetPieces, wholeCharacters } from '../src/lib/text/octets.ts';

const octets = (...parts: (string | number[])[]): string =>
  parts.map((part) => Buffer.from(part as string).toString('latin1')).join('');
const shown = (text: string): string[] =>
  octetPieces(text).map((piece) => (piece.kind === 'text' ? piece.text : `<${piece.text}>`));

describe('stored bytes as they can be read', () => {
  it.each([
    ['text of any language', octets('{"a":"é 悬空 👩‍🚀"\tx\ny'), ['{"a":"é 悬空 👩‍🚀"\tx\ny']],
    ['a run of NUL bytes', octets('a', new Array<number>(512).fill(0), 'b'), ['a', '<00×512>', 'b']],
    ['bytes that are not UTF-8', octets('"', [0xff, 0xfe, 0xfe], '"'), ['"', '<FF FE×2>', '"']],
    ['a character that was cut off', octets('x', [0xe6, 0x82]), ['x', '<E6 82>']],
    ['overlong and surrogate forms', octets([0xc0, 0xaf], 'a', [0xed, 0xa0, 0x80]), ['<C0 AF>', 'a', '<ED A0 80>']],
    ['beyond Unicode', octets([0xf4, 0x90, 0x80, 0x80]), ['<F4 90 80×2>']],
    ['control characters', octets('a\r\u001b[0m\u007f'), ['a', '<0D 1B>', '[0m', '<7F>']],
    ['a byte order mark', octets('\ufeff{'), ['\ufeff{']],
    ['nothing', '', []],
  ])('%s', (_, text, expected) => {
    expect(shown(text)).toEqual(expected);
  });

  it('are cut between characters only', () => {
    const text = octets('a悬b');
    expect([0, 1, 2, 3, 4, 5, 9].map((length) => wholeCharacters(text, length))).toEqual([0, 1, 4, 4, 4, 5, 5]);
    expect(wholeCharacters(octets(new Array<number>(9).fill(0x80)), 2)).toBe(5);
  });

  it('lose no byte, whatever they are', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const bytes = Array.from({ length: 300 }, (__, i) => (Math.imul(seed * 7919 + i, 2_654_435_761) >>> 23) & 255);
      const back = octetPieces(Buffer.from(bytes).toString('latin1')).flatMap(({ kind, text }) => {
        if (kind === 'text') return [...Buffer.from(text)];
        return [...text.matchAll(/([0-9A-F]{2})(?:×(\d+))?/g)].flatMap(([, digits, times]) =>
          new Array<number>(Number(times ?? 1)).fill(parseInt(digits!, 16)),
        );
      });
      expect(back).toEqual(bytes);
    }
  });
});
