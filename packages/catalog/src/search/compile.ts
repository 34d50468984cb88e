import { classOf, WORD } from '../query/classes.ts';
import { fold } from '../query/fold.ts';
import type { FilterTerm, Query, QueryNode, Term } from '../query/query.ts';
import { indexTerm, MAX_TOKEN, tokensOf } from '../query/tokens.ts';
import { tag } from '../db/tags.ts';

/** What the index can do of a query. */
export interface Plan {
  /** An expression of the index that every hit fulfils; null where it cannot help: then documents are looked through. */
  match: string | null;
  /** Whatever fulfils it is a hit. Otherwise each document is looked at. */
  exact: boolean;
}

export interface CompileContext {
  /** Words of the index with a text in them; null where there are too many. */
  termsWith(text: string): string[] | null;
  /** Ids of the sessions that a filter means; null where it is not about sessions, or about too many. */
  sessionsOf(filter: FilterTerm): readonly number[] | null;
}

const ALL: Plan = { match: null, exact: true };
const UNKNOWN: Plan = { match: null, exact: false };
/** Fulfilled by nothing: no text has this sign. */
const NOTHING: Plan = { match: quoted('\ue003'), exact: true };

/** How a query is asked of the index. */
export function compileQuery(query: Query, context: CompileContext): Plan {
  return query === null ? ALL : planOf(query, context);
}

/** The parser bounds how deep a query goes. */
function planOf(node: QueryNode, context: CompileContext): Plan {
  switch (node.kind) {
    case 'and':
      return all(node.of, context);
    case 'or':
      return any(node.of.map((part) => planOf(part, context)));
    case 'not':
      // Nothing to look for; whoever stands beside it may subtract it.
      return UNKNOWN;
    case 'filter':
      return filter(node, context);
    default:
      return term(node, context);
  }
}

function all(parts: readonly QueryNode[], context: CompileContext): Plan {
  const plans = parts.filter(({ kind }) => kind !== 'not').map((part) => planOf(part, context));
  const matches = plans.flatMap(({ match }) => match ?? []);
  let exact = plans.every((plan) => plan.exact && plan.match !== null);
  if (matches.length === 0) return UNKNOWN;
  let match = matches.length === 1 ? matches[0]! : `(${matches.join(' AND ')})`;
  for (const part of parts) {
    if (part.kind !== 'not') continue;
    const without = planOf(part.of, context);
    // What the index finds too much of must not take hits away.
    if (without.exact && without.match !== null) match = `(${match} NOT ${without.match})`;
    else exact = false;
  }
  return { match, exact };
}

function any(plans: readonly Plan[]): Plan {
  const matches = plans.map(({ match }) => match);
  if (matches.includes(null)) return UNKNOWN;
  return { match: `(${matches.join(' OR ')})`, exact: plans.every(({ exact }) => exact) };
}

function term(node: Term, context: CompileContext): Plan {
  if (node.kind === 'regex') return UNKNOWN;
  const folded = fold(node.text).text;
  if (node.kind === 'sub') return inside(folded, context);
  const tokens = [...tokensOf(folded)];
  if (tokens.length === 0) return UNKNOWN;
  const last = tokens.at(-1)!;
  const isPrefix = node.kind === 'word' && node.prefix;
  // Where a long run was cut, and what separates its words, the index does not know.
  const exact = tokens.length === 1 && last.end - last.start === folded.trim().length && folded.length < MAX_TOKEN;
  const words = tokens.map((token) => indexTerm(folded, token));
  return { match: text(`${quoted(words.join(' '))}${isPrefix ? ' *' : ''}`), exact };
}

/** A text inside of words: its longest piece is looked up among the words of the index. */
function inside(folded: string, context: CompileContext): Plan {
  const tokens = [...tokensOf(folded)];
  const longest = tokens.reduce<(typeof tokens)[number] | null>(
    (best, token) => (best === null || token.end - token.start > best.end - best.start ? token : best),
    null,
  );
  if (longest === null) return UNKNOWN;
  const piece = indexTerm(folded, longest);
  const words = longest.kind === WORD ? context.termsWith(piece) : [piece];
  if (words === null) return UNKNOWN;
  if (words.length === 0) return NOTHING;
  const exact = longest.end - longest.start === folded.length && classOf(folded.codePointAt(0)!) === WORD;
  return { match: text(words.map(quoted).join(' OR ')), exact };
}

function filter(node: FilterTerm, context: CompileContext): Plan {
  switch (node.name) {
    case 'in':
      return tagged([tag.part(node.value)]);
    case 'role':
      return tagged([tag.role(node.value)]);
    case 'type':
      return tagged([tag.type(node.value)]);
    case 'tool':
      return tagged([tag.tool(node.value)]);
    default: {
      const sessions = context.sessionsOf(node);
      if (sessions === null) return UNKNOWN;
      return sessions.length === 0 ? NOTHING : tagged(sessions.map(tag.session));
    }
  }
}

function text(expression: string): string {
  return `(text : ${expression.includes(' OR ') ? `(${expression})` : expression})`;
}

function tagged(tags: readonly string[]): Plan {
  return { match: `(tags : (${tags.map(quoted).join(' OR ')}))`, exact: true };
}

/** Whatever people write never becomes an operator of the index. */
function quoted(words: string): string {
  return `"${words.replaceAll('"', '""').replaceAll('\u0000', ' ')}"`;
}
