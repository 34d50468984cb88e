import { SessionStoreError } from '../errors.ts';

const MAX_QUERY_CHARACTERS = 4000;
const MAX_ROWS = 1000;

/** Conditions in one pair of parentheses: SQLite takes expressions up to a depth of 1,000. */
const GROUP = 400;

/**
 * A prompt as it is stored: line feeds only, no blanks at the ends of lines (terminals pad what is copied out of them), none around it.
 * Empty when nothing is left.
 */
export function normalisePrompt(prompt: string): string {
  const lines = prompt.replace(/\r\n?/g, '\n').split('\n');
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

/** How many rows are answered: whole, at most 1,000; what is no number asks for none. */
export function rowLimit(limit: number): number {
  return Number.isFinite(limit) ? Math.min(Math.max(0, Math.floor(limit)), MAX_ROWS) : 0;
}

/**
 * The distinct words of a query in lower case: runs of letters and digits, as the index cuts them.
 * @throws `invalid_query` over 4,000 characters
 */
export function queryTokens(query: string): string[] {
  if (query.length > MAX_QUERY_CHARACTERS) {
    throw new SessionStoreError('invalid_query', `A query has at most ${String(MAX_QUERY_CHARACTERS)} characters.`);
  }
  return [...new Set(query.toLowerCase().split(/[^\p{L}\p{N}]+/u))].filter((token) => token !== '');
}

/** All tokens as beginnings of words. Tokens are letters and digits only, so that quoting is all there is to escape. */
export const wordQuery = (tokens: readonly string[]): string => tokens.map((token) => `"${token}"*`).join(' ');

/** A condition with one parameter for each token, which `prompt` must contain: what the index cannot find, inside words and in Chinese. */
export function containsAll(tokens: readonly string[]): { condition: string; parameters: string[] } {
  const groups: string[] = [];
  for (let from = 0; from < tokens.length; from += GROUP) {
    const count = Math.min(GROUP, tokens.length - from);
    groups.push(`(${Array<string>(count).fill('h.prompt LIKE ?').join(' AND ')})`);
  }
  return { condition: groups.join(' AND '), parameters: tokens.map((token) => `%${token}%`) };
}
