import type { Database, Statement } from 'better-sqlite3';

import type { Doc } from '../db/docs.ts';
import { fold } from '../query/fold.ts';
import type { FilterTerm } from '../query/query.ts';
import type { SessionIndex } from './sessions.ts';

/** Answers filters about documents. One for each search: it keeps what it has found out. */
export class FilterJudge {
  readonly #sessions: SessionIndex;
  readonly #files: Statement<[number, number], string>;
  readonly #labels: Statement<[number, number], string>;
  readonly #sets = new Map<FilterTerm, ReadonlySet<number>>();

  constructor(db: Database, sessions: SessionIndex) {
    this.#sessions = sessions;
    this.#files = db.prepare<[number, number], string>('SELECT path FROM file WHERE session = ? AND row = ?').pluck();
    this.#labels = db.prepare<[number, number], string>('SELECT name FROM label WHERE session = ? AND row = ?').pluck();
  }

  holds(filter: FilterTerm, doc: Doc): boolean {
    switch (filter.name) {
      case 'in':
        return doc.part === filter.value;
      case 'role':
        return isSame(doc.role, filter.value);
      case 'type':
        return isSame(doc.type, filter.value);
      case 'tool':
        return doc.tool !== null && isSame(doc.tool, filter.value);
      case 'before':
        return doc.time !== null && doc.time < filter.time;
      case 'after':
        return doc.time !== null && doc.time >= filter.time;
      case 'is':
        return filter.value === 'error' ? doc.isError : this.#sessions.branchOf(doc.session, doc.row) === filter.value;
      case 'file':
        return this.#files.all(doc.session, doc.row).some((path) => isPart(path, filter.value));
      case 'label':
        return this.#labels.all(doc.session, doc.row).some((name) => isPart(name, filter.value));
      default:
        return this.#idsOf(filter).has(doc.session);
    }
  }

  #idsOf(filter: FilterTerm): ReadonlySet<number> {
    let ids = this.#sets.get(filter);
    if (ids === undefined) this.#sets.set(filter, (ids = new Set(this.#sessions.matching(filter) ?? [])));
    return ids;
  }
}

function isSame(name: string, value: string): boolean {
  return name.toLowerCase() === value.toLowerCase();
}

function isPart(text: string, value: string): boolean {
  return fold(text).text.includes(fold(value).text);
}
