import type { Database, Statement } from 'better-sqlite3';

/** Words that one query asks for at most. */
const MOST = 2_000;

/** The words of the index, for who looks for a part of one. */
export class Terms {
  readonly #containing: Statement<[string, number], string>;

  constructor(db: Database) {
    this.#containing = db
      .prepare<[string, number], string>("SELECT term FROM term WHERE col = 'text' AND instr(term, ?) > 0 LIMIT ?")
      .pluck();
  }

  /** Null where there are too many. @param text as the index has it */
  with(text: string): string[] | null {
    const found = this.#containing.all(text, MOST + 1);
    return found.length > MOST ? null : found;
  }
}
