import { RE2JS } from 're2js';

import { parseFilter } from './filters.ts';
import { FILTERS, type FilterName, type Query, type QueryError, type QueryErrorCode, type QueryNode } from './query.ts';
import { isSpace, Scanner } from './scanner.ts';

/** UTF-16 units. */
export const MAX_QUERY = 4_000;
const MAX_TERMS = 1_000;
const MAX_DEPTH = 32;

const OR = 'OR';
const NAMES: ReadonlySet<string> = new Set(FILTERS);

export type Parsed = { query: Query } | { error: QueryError };

export interface ParseOptions {
  /** Minutes by which local time is ahead of UTC on a day, for `before:` and `after:`; UTC by default. */
  offsetMinutes?: (day: { year: number; month: number; day: number }) => number;
}

/**
 * Reads a query. Whatever the text, it answers a query or an error with its place; what cannot be an operator is text to be found.
 * Words must all be there; `OR` between two asks for one of them, `-` before one for its absence, brackets group.
 */
export function parseQuery(text: string, options: ParseOptions = {}): Parsed {
  if (text.length > MAX_QUERY) return { error: { code: 'too_long', at: MAX_QUERY } };
  try {
    return { query: new QueryParser(text, options).parse() };
  } catch (error) {
    if (error instanceof QueryFault) return { error: { code: error.code, at: error.at } };
    throw error;
  }
}

class QueryFault extends Error {
  readonly code: QueryErrorCode;
  readonly at: number;

  constructor(code: QueryErrorCode, at: number) {
    super(code);
    this.code = code;
    this.at = at;
  }
}

class QueryParser {
  readonly #scanner: Scanner;
  readonly #options: ParseOptions;
  #depth = 0;
  #terms = 0;

  constructor(text: string, options: ParseOptions) {
    this.#scanner = new Scanner(text);
    this.#options = options;
  }

  parse(): Query {
    return this.#all();
  }

  /** All of what stands side by side, up to the end or the bracket that closes the group. */
  #all(): Query {
    const parts: QueryNode[] = [];
    const { at } = this.#scanner;
    for (let one = this.#either(); one !== null; one = this.#either()) parts.push(one);
    if (parts.length > 1) return { kind: 'and', of: parts };
    if (parts.length === 0 && this.#depth > 0) throw new QueryFault('group_empty', at);
    return parts[0] ?? null;
  }

  /** One, or several with `OR` between them. Null at the end. */
  #either(): QueryNode | null {
    const first = this.#one();
    if (first === null) return null;
    const parts = [first];
    while (this.#takesOr()) parts.push(this.#one()!);
    return parts.length === 1 ? first : { kind: 'or', of: parts };
  }

  /** `OR` is an operator only where something follows. */
  #takesOr(): boolean {
    const scanner = this.#scanner;
    const before = scanner.at;
    scanner.skipSpace();
    if (scanner.standsAlone(OR)) {
      scanner.at += OR.length;
      scanner.skipSpace();
      if (!this.#isEnd()) return true;
    }
    scanner.at = before;
    return false;
  }

  #isEnd(): boolean {
    return this.#scanner.done || (this.#depth > 0 && this.#scanner.next === ')');
  }

  #one(): QueryNode | null {
    const scanner = this.#scanner;
    scanner.skipSpace();
    if (this.#isEnd()) return null;
    if (++this.#terms > MAX_TERMS) throw new QueryFault('too_many_terms', scanner.at);
    const after = scanner.text[scanner.at + 1];
    // `-- x`, `--x` and `-` alone are text.
    if (scanner.next === '-' && after !== undefined && after !== '-' && !isSpace(after) && !(after === ')' && this.#depth > 0)) {
      scanner.at++;
      return { kind: 'not', of: this.#atom() };
    }
    return this.#atom();
  }

  #atom(): QueryNode {
    const scanner = this.#scanner;
    if (scanner.next === '(' && this.#closes()) return this.#group();
    if (scanner.take('"')) return phrase(scanner.quoted());
    const from = scanner.at;
    const name = /^([a-z]+):/.exec(scanner.text.slice(from, from + 16))?.[1];
    if (name === 're' && scanner.text[from + 3] === '/') return this.#regex(from);
    if (name === 'sub' || (name !== undefined && NAMES.has(name))) {
      scanner.at += name.length + 1;
      const value = scanner.take('"') ? scanner.quoted() : scanner.word(this.#depth > 0);
      if (value.trim() === '') throw new QueryFault('filter_empty', from);
      if (name === 'sub') return { kind: 'sub', text: value };
      const filter = parseFilter(name as FilterName, value, this.#options.offsetMinutes);
      if (filter === null) throw new QueryFault('filter_value', from);
      return filter;
    }
    const word = scanner.word(this.#depth > 0);
    const isPrefix = /[\p{L}\p{N}\p{M}]\*$/u.test(word);
    return { kind: 'word', text: isPrefix ? word.slice(0, -1) : word, prefix: isPrefix };
  }

  /** A bracket without its counterpart is text. */
  #closes(): boolean {
    const probe = new Scanner(this.#scanner.text);
    let open = 0;
    for (probe.at = this.#scanner.at; !probe.done; probe.at++) {
      if (probe.next === '(') open++;
      else if (probe.next === ')' && --open === 0) return true;
    }
    return false;
  }

  #group(): QueryNode {
    const from = this.#scanner.at;
    if (this.#depth >= MAX_DEPTH) throw new QueryFault('too_deep', from);
    this.#scanner.at++;
    this.#depth++;
    const inner = this.#all();
    this.#depth--;
    this.#scanner.take(')');
    return inner!;
  }

  #regex(from: number): QueryNode {
    const scanner = this.#scanner;
    scanner.at += 're:/'.length;
    const source = scanner.regex();
    if (source === null) throw new QueryFault('regex_not_closed', from);
    const ignoreCase = scanner.take('i');
    if (source === '' || !isRegex(source)) throw new QueryFault('regex_invalid', from);
    return { kind: 'regex', source, ignoreCase };
  }
}

function phrase(text: string): QueryNode {
  return { kind: 'phrase', text };
}

/** Only what can be matched in linear time: no back references, no looking around. */
function isRegex(source: string): boolean {
  try {
    RE2JS.compile(source);
    return true;
  } catch {
    // Whatever the library says of it, it is none.
    return false;
  }
}
