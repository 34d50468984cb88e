/** Queries: reading them and finding them in texts. No I/O; runs in the page, too. */
export { classOf, SEPARATOR, SINGLE, SYMBOL, WORD, type CharClass } from './classes.ts';
export { fold, type Folded } from './fold.ts';
export { Matcher, type Range } from './match.ts';
export { MAX_QUERY, parseQuery, type Parsed, type ParseOptions } from './parse.ts';
export * from './query.ts';
export { indexTerm, indexText, MAX_TOKEN, tokensOf, type Token } from './tokens.ts';
