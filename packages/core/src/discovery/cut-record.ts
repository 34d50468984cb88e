import type { RawRecord } from '../entries/entry.ts';
import { isRecord, parsedJson } from '../entries/read.ts';

/**
 * The object that a JSON text begins with, as far as the text goes: what is whole stays, what the cut goes through is
 * left out.
 *
 * @param texts what becomes of a string value that the cut goes through: `drop` it, or `keep` its beginning.
 * @returns null when the text is not the beginning of an object.
 */
export function completeCut(text: string, texts: 'keep' | 'drop'): RawRecord | null {
  /** What closes the brackets that are open. */
  const closers: string[] = [];
  let keyNext = false;
  /** Up to here everything is whole. No bracket opens or closes behind it, so `closers` are right for it, too. */
  let whole = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"': {
        const end = stringEnd(text, at);
        if (end.closed) {
          at = end.at;
          if (!keyNext) whole = at + 1;
          break;
        }
        return keyNext || texts === 'drop' ? closed(text.slice(0, whole), closers) : closed(`${text.slice(0, end.at)}"`, closers);
      }
      case '{':
      case '[':
        closers.push(text[at] === '{' ? '}' : ']');
        keyNext = text[at] === '{';
        whole = at + 1;
        break;
      case '}':
      case ']':
        closers.pop();
        whole = at + 1;
        break;
      case ',':
        whole = at;
        keyNext = closers.at(-1) === '}';
        break;
      case ':':
        keyNext = false;
        break;
      default:
    }
  }
  return closed(text.slice(0, whole), closers);
}

/** Where the string that begins at `start` ends: its closing quote, else as far as its escapes are whole. */
function stringEnd(text: string, start: number): { closed: boolean; at: number } {
  let at = start + 1;
  while (at < text.length) {
    if (text[at] === '"') return { closed: true, at };
    const step = text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2;
    if (at + step > text.length) break;
    at += step;
  }
  return { closed: false, at };
}

function closed(text: string, closers: readonly string[]): RawRecord | null {
  const value = parsedJson(text + [...closers].reverse().join(''));
  return isRecord(value) ? value : null;
}
