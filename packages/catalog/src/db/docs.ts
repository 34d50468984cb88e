import { deflateRawSync, inflateRawSync } from 'node:zlib';

import type { Database, Statement } from 'better-sqlite3';

import { fold } from '../query/fold.ts';
import { PARTS, type Part } from '../query/query.ts';
import { indexText } from '../query/tokens.ts';
import { tagsOf } from './tags.ts';

/** One part of an entry, to be found by itself. */
export interface NewDoc {
  /** Row of the outline; -1 for the title of the session. */
  row: number;
  /** Null for the title. */
  entryId: string | null;
  part: Part;
  role: string;
  type: string;
  /** Name of the tool that it is the call or the result of. */
  tool: string | null;
  isError: boolean;
  /** Epoch ms; null where nobody knows. */
  time: number | null;
  text: string;
}

/** A document as it is found; its text is read apart. */
export interface Doc extends Omit<NewDoc, 'text'> {
  id: number;
  session: number;
}

interface StoredDoc {
  id: number;
  session: number;
  row: number;
  entry: string | null;
  part: number;
  role: string;
  type: string;
  tool: string | null;
  error: number;
}

/** Documents of one millisecond; more go on in the next one. */
export const IDS_A_MS = 4_096;
/** Latest time that leaves room for its ids in a double. */
const LAST_MS = Math.floor(Number.MAX_SAFE_INTEGER / IDS_A_MS) - 1;
/** Longer texts are deflated. */
const PLAIN_BYTES = 1_024;
const LEVEL = 3;

const COLUMNS = 'id, session, row, entry, part, role, type, tool, error';

/** Adds and removes documents, with what the index knows of them. Call it inside a transaction. */
export class DocWriter {
  readonly #last: Statement<[number, number], number | null>;
  readonly #insert: Statement<[StoredDoc & { text: Uint8Array; deflated: number }]>;
  readonly #index: Statement<[number, string, string]>;
  readonly #ids: Statement<[number, number], number>;
  readonly #remove: Statement<[number]>;
  readonly #unindex: Statement<[number]>;

  constructor(db: Database) {
    this.#last = db.prepare<[number, number], number | null>('SELECT max(id) FROM doc WHERE id BETWEEN ? AND ?').pluck();
    this.#insert = db.prepare(
      `INSERT INTO doc (${COLUMNS}, text, deflated) VALUES (@id, @session, @row, @entry, @part, @role, @type, @tool, @error, @text, @deflated)`,
    );
    this.#index = db.prepare('INSERT INTO fts (rowid, text, tags) VALUES (?, ?, ?)');
    this.#ids = db.prepare<[number, number], number>('SELECT id FROM doc WHERE session = ? AND row >= ?').pluck();
    this.#remove = db.prepare('DELETE FROM doc WHERE id = ?');
    this.#unindex = db.prepare('DELETE FROM fts WHERE rowid = ?');
  }

  /** @param fallback epoch ms for documents without a time of their own: they must stand somewhere */
  add(session: number, docs: Iterable<NewDoc>, fallback: number): void {
    for (const doc of docs) {
      const id = this.#freeId(doc.time ?? fallback);
      const bytes = Buffer.from(doc.text);
      const deflated = bytes.length > PLAIN_BYTES ? deflateRawSync(bytes, { level: LEVEL }) : bytes;
      const isShorter = deflated.length < bytes.length;
      this.#insert.run({
        id,
        session,
        row: doc.row,
        entry: doc.entryId,
        part: PARTS.indexOf(doc.part),
        role: doc.role,
        type: doc.type,
        tool: doc.tool,
        error: doc.isError ? 1 : 0,
        text: isShorter ? deflated : bytes,
        deflated: isShorter ? 1 : 0,
      });
      this.#index.run(id, indexText(fold(doc.text).text), tagsOf(session, doc));
    }
  }

  /** Removes the documents of a session from a row of its outline on; -1 for all. */
  remove(session: number, fromRow: number): void {
    for (const id of this.#ids.all(session, fromRow)) {
      this.#unindex.run(id);
      this.#remove.run(id);
    }
  }

  #freeId(time: number): number {
    for (let ms = Math.min(LAST_MS, Math.max(0, Math.floor(time))); ; ms++) {
      const first = ms * IDS_A_MS;
      const last = this.#last.get(first, first + IDS_A_MS - 1) ?? null;
      if (last === null) return first;
      if (last < first + IDS_A_MS - 1) return last + 1;
    }
  }
}

/** Reads documents. */
export class DocReader {
  readonly #get: Statement<[number], StoredDoc>;
  readonly #text: Statement<[number], { text: Buffer; deflated: number }>;

  constructor(db: Database) {
    this.#get = db.prepare(`SELECT ${COLUMNS} FROM doc WHERE id = ?`);
    this.#text = db.prepare('SELECT text, deflated FROM doc WHERE id = ?');
  }

  /** Undefined where it was removed meanwhile. */
  get(id: number): Doc | undefined {
    const stored = this.#get.get(id);
    if (stored === undefined) return undefined;
    const { session, row, entry, part, role, type, tool, error } = stored;
    const ms = Math.floor(id / IDS_A_MS);
    return {
      id,
      session,
      row,
      entryId: entry,
      part: PARTS[part]!,
      role,
      type,
      tool,
      isError: error === 1,
      time: ms === 0 ? null : ms,
    };
  }

  text(id: number): string {
    const stored = this.#text.get(id);
    if (stored === undefined) return '';
    return (stored.deflated === 1 ? inflateRawSync(stored.text) : stored.text).toString('utf8');
  }
}
