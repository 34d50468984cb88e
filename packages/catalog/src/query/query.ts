/** The names of filters; each is a file's worth of meaning for who evaluates them. */
export const FILTERS = [
  'project',
  'root',
  'cwd',
  'file',
  'role',
  'tool',
  'type',
  'label',
  'model',
  'session',
  'before',
  'after',
  'in',
  'is',
] as const;
export type FilterName = (typeof FILTERS)[number];

/** The parts of an entry that are documents of their own, and the title of a session. */
export const PARTS = ['prompt', 'answer', 'thinking', 'args', 'output', 'summary', 'title'] as const;
export type Part = (typeof PARTS)[number];

/** What `is:` asks for. */
export const STATES = ['active', 'abandoned', 'compacted', 'error'] as const;
export type State = (typeof STATES)[number];

/** Something to be found in the text of a document. */
export type Term =
  /** Stands at the borders of words; as a prefix at the first one only. */
  | { kind: 'word'; text: string; prefix: boolean }
  /** White space of any length is equal. */
  | { kind: 'phrase'; text: string }
  /** Anywhere, inside words, too. */
  | { kind: 'sub'; text: string }
  | { kind: 'regex'; source: string; ignoreCase: boolean };

export type FilterTerm =
  | { kind: 'filter'; name: Exclude<FilterName, 'before' | 'after' | 'in' | 'is'>; value: string }
  | { kind: 'filter'; name: 'in'; value: Part }
  | { kind: 'filter'; name: 'is'; value: State }
  /** Epoch ms: before the first, or from it on. Days are those of the time zone that the parser was told. */
  | { kind: 'filter'; name: 'before' | 'after'; value: string; time: number };

export type QueryNode =
  Term | FilterTerm | { kind: 'and'; of: QueryNode[] } | { kind: 'or'; of: QueryNode[] } | { kind: 'not'; of: QueryNode };

/** Null where nothing is asked for: all documents fit. */
export type Query = QueryNode | null;

export type QueryErrorCode =
  | 'too_long'
  | 'too_many_terms'
  | 'too_deep'
  | 'regex_not_closed'
  | 'regex_invalid'
  | 'filter_empty'
  | 'filter_value'
  | 'group_empty';

export interface QueryError {
  code: QueryErrorCode;
  /** UTF-16 offset in the query. */
  at: number;
}

/** The terms that a hit shows: those that are not excluded. */
export function positiveTerms(query: Query): Term[] {
  const terms: Term[] = [];
  const pending: QueryNode[] = query === null ? [] : [query];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === 'and' || node.kind === 'or') for (let i = node.of.length - 1; i >= 0; i--) pending.push(node.of[i]!);
    else if (node.kind !== 'not' && node.kind !== 'filter') terms.push(node);
  }
  return terms;
}
