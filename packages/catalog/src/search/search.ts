import type { Database, Statement } from 'better-sqlite3';

import { DocReader, IDS_A_MS, type Doc } from '../db/docs.ts';
import { Matcher } from '../query/match.ts';
import { Terms } from './terms.ts';
import type { FilterTerm, Query, QueryNode } from '../query/query.ts';
import { compileQuery, type Plan } from './compile.ts';
import { FilterJudge } from './holds.ts';
import { SessionIndex } from './sessions.ts';
import { snippetOf, type Snippet } from './snippet.ts';

export interface SearchRequest {
  query: Query;
  /** newest: latest first. ranked: best first, among the newest that match. */
  sort: 'newest' | 'ranked';
  /** Hits of a page. */
  limit: number;
  /** What the page before said. */
  cursor?: string | undefined;
}

export interface SearchHit extends Doc {
  snippet: Snippet;
  branch: 'active' | 'abandoned' | 'compacted';
}

export interface SearchAnswer {
  hits: SearchHit[];
  /** Not exact: there are at least so many, or not all documents were looked at. */
  total: { value: number; exact: boolean };
  nextCursor: string | null;
}

/** Counted this far. */
const COUNTED = 1_000;
/** The newest documents that are looked at one by one where the index cannot tell, for one page. */
const LOOKED_AT = 20_000;
/** The newest hits that are ranked. */
const RANKED = 20_000;
/** Sessions that are asked of the index; more are checked one by one. */
const SESSIONS_ASKED = 400;
const LAST = Number.MAX_SAFE_INTEGER;

/** Searches a catalog. It only reads. */
export class Search {
  readonly #docs: DocReader;
  readonly #sessions: SessionIndex;
  readonly #terms: Terms;
  readonly #db: Database;
  readonly #matching: Statement<[string, number, number], number>;
  readonly #every: Statement<[number, number], number>;
  readonly #ranked: Statement<[string, number, number, number], number>;

  constructor(db: Database) {
    this.#db = db;
    this.#docs = new DocReader(db);
    this.#sessions = new SessionIndex(db);
    this.#terms = new Terms(db);
    this.#matching = db
      .prepare<[string, number, number], number>(
        'SELECT rowid FROM fts WHERE fts MATCH ? AND rowid < ? AND rowid >= ? ORDER BY rowid DESC',
      )
      .pluck();
    this.#every = db.prepare<[number, number], number>('SELECT id FROM doc WHERE id < ? AND id >= ? ORDER BY id DESC').pluck();
    this.#ranked = db
      .prepare<[string, number, number, number], number>(
        'SELECT rowid FROM fts WHERE fts MATCH ? AND rowid < ? AND rowid >= ? ORDER BY rank, rowid DESC LIMIT ?',
      )
      .pluck();
  }

  /** @throws `invalid_query` for a cursor that is none */
  search(request: SearchRequest): SearchAnswer {
    return this.#db.transaction(() => new Run(this, request).answer())();
  }

  /** For one run. */
  get parts(): { docs: DocReader; sessions: SessionIndex; terms: Terms; db: Database } {
    return { docs: this.#docs, sessions: this.#sessions, terms: this.#terms, db: this.#db };
  }

  /** Ids that may be hits, newest first, below one and from another on. */
  candidates({ match }: Plan, below: number, from: number): IterableIterator<number> {
    return match === null ? this.#every.iterate(below, from) : this.#matching.iterate(match, below, from);
  }

  ranked(match: string, below: number, from: number): number[] {
    return this.#ranked.all(match, below, from, RANKED);
  }
}

interface Dated {
  /** Ids from the first on, below the second. */
  from: number;
  below: number;
  /** What is asked besides. */
  rest: Query;
}

/** Dates that hold for the whole query are bounds of the ids; documents without a time are then out of the question. */
function dated(query: Query): Dated {
  const parts: readonly QueryNode[] = query?.kind === 'and' ? query.of : query === null ? [] : [query];
  const rest: QueryNode[] = [];
  const found: Dated = { from: 0, below: LAST, rest: null };
  for (const node of parts) {
    if (node.kind === 'filter' && node.name === 'after') found.from = Math.max(found.from, node.time * IDS_A_MS, IDS_A_MS);
    else if (node.kind === 'filter' && node.name === 'before') {
      found.from = Math.max(found.from, IDS_A_MS);
      found.below = Math.min(found.below, node.time * IDS_A_MS);
    } else rest.push(node);
  }
  found.rest = rest.length > 1 ? { kind: 'and', of: rest } : (rest[0] ?? null);
  return found;
}

class Run {
  readonly #search: Search;
  readonly #request: SearchRequest;
  readonly #matcher: Matcher;
  readonly #judge: FilterJudge;
  readonly #plan: Plan;
  readonly #dated: Dated;

  constructor(search: Search, request: SearchRequest) {
    const { db, sessions, terms } = search.parts;
    this.#search = search;
    this.#request = request;
    this.#matcher = new Matcher(request.query);
    this.#judge = new FilterJudge(db, sessions);
    this.#dated = dated(request.query);
    this.#plan = compileQuery(this.#dated.rest, {
      termsWith: (text) => terms.with(text),
      sessionsOf: (filter: FilterTerm) => {
        const ids = sessions.matching(filter);
        return ids === null || ids.length > SESSIONS_ASKED ? null : ids;
      },
    });
  }

  answer(): SearchAnswer {
    const cursor = cursorOf(this.#request.cursor);
    const { from, below } = this.#dated;
    return this.#request.sort === 'ranked' && this.#plan.match !== null
      ? this.#best(this.#plan.match, from, Math.min(below, cursor?.below ?? LAST), cursor?.skip ?? 0)
      : this.#newest(from, below, cursor?.below ?? LAST);
  }

  #newest(from: number, below: number, cursor: number): SearchAnswer {
    const { limit } = this.#request;
    const hits: number[] = [];
    let [counted, looked, last] = [0, 0, 0];
    let more = false;
    for (const id of this.#search.candidates(this.#plan, Math.min(below, cursor), from)) {
      if (++looked > LOOKED_AT && !this.#plan.exact) {
        // The next page goes on where this one stopped looking.
        more = hits.length < limit;
        last = more ? id + 1 : last;
        return this.#page(hits, { value: counted, exact: false }, hits.length === limit || more ? cursorText(last) : null);
      }
      if (!this.#isHit(id)) continue;
      counted++;
      if (hits.length < limit) {
        hits.push(id);
        last = id;
      } else more = true;
      if (counted >= COUNTED && hits.length >= limit) break;
    }
    const total = { value: counted, exact: cursor === LAST && counted < COUNTED };
    return this.#page(hits, total, more ? cursorText(last) : null);
  }

  #best(match: string, from: number, below: number, skip: number): SearchAnswer {
    const { limit } = this.#request;
    let oldest = from;
    let seen = 0;
    let newest = 0;
    for (const id of this.#search.candidates(this.#plan, below, from)) {
      newest = newest === 0 ? id : newest;
      if (++seen <= RANKED) continue;
      oldest = id + 1;
      break;
    }
    const hits: number[] = [];
    let place = 0;
    let counted = 0;
    // What is indexed later must not change the order of the pages.
    for (const id of this.#search.ranked(match, Math.min(below, newest + 1), oldest)) {
      place++;
      if (!this.#isHit(id)) continue;
      counted++;
      if (place > skip && hits.length < limit) hits.push(id);
      else if (hits.length === limit) {
        return this.#page(hits, { value: Math.min(COUNTED, seen), exact: false }, cursorText(newest + 1, place - 1));
      }
    }
    return this.#page(hits, { value: counted, exact: seen <= RANKED }, null);
  }

  #isHit(id: number): boolean {
    if (this.#plan.exact) return true;
    const { docs } = this.#search.parts;
    const doc = docs.get(id);
    return doc !== undefined && this.#matcher.matches(docs.text(id), (filter) => this.#judge.holds(filter, doc));
  }

  #page(ids: readonly number[], total: SearchAnswer['total'], nextCursor: string | null): SearchAnswer {
    const { docs, sessions } = this.#search.parts;
    const hits = ids.map((id): SearchHit => {
      const doc = docs.get(id)!;
      const text = docs.text(id);
      const branch = sessions.branchOf(doc.session, doc.row);
      return { ...doc, snippet: snippetOf(text, this.#matcher.ranges(text)), branch };
    });
    return { hits, total, nextCursor };
  }
}

function cursorText(below: number, skip = 0): string {
  return `${below.toString(36)}.${skip.toString(36)}`;
}

function cursorOf(text: string | undefined): { below: number; skip: number } | null {
  if (text === undefined) return null;
  const [below, skip] = text.split('.').map((part) => Number.parseInt(part, 36));
  return below === undefined || Number.isNaN(below) ? null : { below, skip: skip === undefined || Number.isNaN(skip) ? 0 : skip };
}
