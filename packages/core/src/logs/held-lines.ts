import { isRecord, parsedJson } from '../entries/read.ts';
import type { RawRecord } from '../entries/entry.ts';
import { problem, type Problem } from '../problems.ts';

/** More lines, or longer ones, are not one record: the search must stay cheap. */
const MAX_LINES = 16;
const MAX_LENGTH = 4 * 1024 * 1024;

interface HeldLine {
  line: number;
  byteOffset: number;
  blank: boolean;
}

export interface HeldState {
  text: string;
  lines: HeldLine[];
}

/**
 * Lines that are no records by themselves, held because together they may be one: a writer let a raw line feed into
 * a string. Nothing is lost meanwhile: `give` answers them as problems.
 */
export class HeldLines {
  #text = '';
  #lines: HeldLine[] = [];

  state(): HeldState {
    return { text: this.#text, lines: this.#lines };
  }

  restore({ text, lines }: HeldState): void {
    this.#text = text;
    this.#lines = lines;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** Where the first one begins. */
  get first(): { line: number; byteOffset: number } {
    const { line, byteOffset } = this.#lines[0]!;
    return { line, byteOffset };
  }

  hold(text: string, line: number, byteOffset: number): void {
    this.#text = this.isEmpty ? text : joined(this.#text, text);
    this.#lines.push({ line, byteOffset, blank: text === '' });
  }

  /** Can a further line be held? */
  hasRoom(text: string): boolean {
    return this.#lines.length < MAX_LINES && this.#text.length + text.length < MAX_LENGTH;
  }

  /** The record that the held lines and this one are together, or null. */
  completedBy(text: string): RawRecord | null {
    // A record ends in a brace: most lines are told without the work, and the error, of parsing.
    if (this.isEmpty || !this.hasRoom(text) || !text.trimEnd().endsWith('}')) return null;
    const value = parsedJson(joined(this.#text, text));
    return isRecord(value) ? value : null;
  }

  /** What is wrong with the lines by themselves. */
  problems(): Problem[] {
    return this.#lines.filter(({ blank }) => !blank).map(({ line, byteOffset }) => notJson({ line, byteOffset }));
  }

  clear(): void {
    this.#text = '';
    this.#lines = [];
  }
}

export function notJson(place: { line: number; byteOffset: number }): Problem {
  return problem('bad_json', 'The line is not JSON.', place);
}

function joined(before: string, after: string): string {
  return before.endsWith('\r') ? `${before.slice(0, -1)}\\r\\n${after}` : `${before}\\n${after}`;
}

/** The text of a record that raw line feeds broke, as the JSON that it was meant to be. */
export function mendLineFeeds(text: string): string {
  return text.replaceAll('\r', '\\r').replaceAll('\n', '\\n');
}
