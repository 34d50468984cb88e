import { RE2JS } from 're2js';

import { classOf, WORD } from './classes.ts';
import { fold, type Folded } from './fold.ts';
import { positiveTerms, type FilterTerm, type Query, type QueryNode, type Term } from './query.ts';

/** UTF-16 offsets in a text, the end excluded. */
export type Range = [start: number, end: number];

/** Hits of one text that are shown at most. */
const MAX_RANGES = 1_000;

/** Finds a query in texts. */
export class Matcher {
  readonly #query: Query;
  readonly #finders = new Map<Term, Finder>();
  readonly #positive: Finder[];

  constructor(query: Query) {
    this.#query = query;
    this.#positive = positiveTerms(query).map((term) => this.#finder(term));
  }

  /**
   * Does a document fit?
   * @param holds answers what the text does not tell; without it filters count as fulfilled
   */
  matches(text: string, holds: (filter: FilterTerm) => boolean = () => true): boolean {
    return this.#query === null || this.#holds(this.#query, new Subject(text), holds);
  }

  /** Where the terms that are asked for stand, in order and without overlaps. */
  ranges(text: string): Range[] {
    const subject = new Subject(text);
    const found: Range[] = [];
    for (const find of this.#positive) for (const range of find(subject)) if (found.length < MAX_RANGES) found.push(range);
    return merged(found);
  }

  #finder(term: Term): Finder {
    let finder = this.#finders.get(term);
    if (finder === undefined) this.#finders.set(term, (finder = finderOf(term)));
    return finder;
  }

  /** The parser bounds how deep a query goes. */
  #holds(node: QueryNode, subject: Subject, holds: (filter: FilterTerm) => boolean): boolean {
    switch (node.kind) {
      case 'and':
        return node.of.every((part) => this.#holds(part, subject, holds));
      case 'or':
        return node.of.some((part) => this.#holds(part, subject, holds));
      case 'not':
        return !this.#holds(node.of, subject, holds);
      case 'filter':
        return holds(node);
      default:
        return this.#finder(node)(subject).next().done !== true;
    }
  }
}

/** A text that is searched: folded once, when it is needed. */
class Subject {
  readonly text: string;
  #folded: Folded | null = null;

  constructor(text: string) {
    this.text = text;
  }

  get folded(): Folded {
    return (this.#folded ??= fold(this.text));
  }
}

type Finder = (subject: Subject) => Generator<Range, void>;

function finderOf(term: Term): Finder {
  switch (term.kind) {
    case 'word':
      return literal(fold(term.text).text, { start: true, end: !term.prefix });
    case 'sub':
      return literal(fold(term.text).text, { start: false, end: false });
    case 'phrase':
      return phrase(fold(term.text).text);
    case 'regex':
      return regex(term.source, term.ignoreCase);
  }
}

/** At which ends of a needle a word must not go on. */
interface Borders {
  start: boolean;
  end: boolean;
}

function literal(needle: string, borders: Borders): Finder {
  return function* (subject) {
    if (needle === '') return;
    const { text, at } = subject.folded;
    for (let from = text.indexOf(needle); from >= 0; from = text.indexOf(needle, from + 1)) {
      const end = from + needle.length;
      if (isBordered(text, from, end, borders)) yield [at(from), at(end)];
    }
  };
}

/** Its pieces in order, with any white space where it has some. */
function phrase(needle: string): Finder {
  const pieces = needle.split(/\s+/u).filter((piece) => piece !== '');
  if (pieces.length <= 1) return literal(pieces[0] ?? '', { start: true, end: true });
  return function* (subject) {
    const { text, at } = subject.folded;
    const first = pieces[0]!;
    for (let from = text.indexOf(first); from >= 0; from = text.indexOf(first, from + 1)) {
      const end = endOfPieces(text, from, pieces);
      if (end !== null && isBordered(text, from, end, { start: true, end: true })) yield [at(from), at(end)];
    }
  };
}

function endOfPieces(text: string, from: number, pieces: readonly string[]): number | null {
  let at = from + pieces[0]!.length;
  for (const piece of pieces.slice(1)) {
    const gap = at;
    while (at < text.length && /\s/u.test(text[at]!)) at++;
    if (at === gap || !text.startsWith(piece, at)) return null;
    at += piece.length;
  }
  return at;
}

function isBordered(text: string, start: number, end: number, borders: Borders): boolean {
  if (isInside(text, start) || isInside(text, end)) return false;
  if (borders.start && start > 0 && isWord(text, start) && isWord(text, before(text, start))) return false;
  return !(borders.end && end < text.length && isWord(text, before(text, end)) && isWord(text, end));
}

/** Between the halves of a character. */
function isInside(text: string, at: number): boolean {
  return at > 0 && at < text.length && text.codePointAt(at - 1)! > 0xffff;
}

function isWord(text: string, at: number): boolean {
  return classOf(text.codePointAt(at)!) === WORD;
}

/** The offset of the character that ends at one. */
function before(text: string, at: number): number {
  const isPair = at >= 2 && text.codePointAt(at - 2)! > 0xffff;
  return isPair ? at - 2 : at - 1;
}

function regex(source: string, ignoreCase: boolean): Finder {
  const compiled = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  return function* (subject) {
    const matcher = compiled.matcher(subject.text);
    while (matcher.find()) if (matcher.end() > matcher.start()) yield [matcher.start(), matcher.end()];
  };
}

function merged(ranges: Range[]): Range[] {
  const result: Range[] = [];
  for (const range of ranges.sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = result.at(-1);
    if (last !== undefined && range[0] < last[1]) last[1] = Math.max(last[1], range[1]);
    else result.push([range[0], range[1]]);
  }
  return result;
}
