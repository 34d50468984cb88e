import { blobReferences } from '../blobs/refs.ts';
import type { RawRecord } from '../entries/entry.ts';
import { clearFacts, emptyFacts, type EntryFacts } from '../entries/facts.ts';
import { asString, asTime, lineHead, oneLine } from '../entries/read.ts';
import { label } from '../entries/label.ts';
import { replacedSpan } from '../entries/replaces.ts';
import { message } from '../entries/message.ts';
import { entryKind } from '../entries/registry.ts';
import { recordId } from '../logs/migrate.ts';
import { RecentCalls, type RecentCallsState } from './recent-calls.ts';
import { ProblemList } from '../problem-list.ts';
import { problem, type Problem } from '../problems.ts';
import { cutCycles } from './cycles.ts';
import { FLAG } from './flags.ts';
import { CALL_END, COUNT, FLOAT, Outline, OutlineColumns } from './outline.ts';

export interface EntryPlace {
  byteOffset: number;
  byteLength: number;
  line: number;
  /** Number of the record in the file, the header being 0. */
  record: number;
  /** The text of a blob reference may occur in it; without that none is looked for. */
  mentionsBlob?: boolean;
}

/** Characters of an id that a message names. */
const ID_CHARS = 80;

/** How ids are read: by the file's version, or entry by entry where no header says one. */
export type IdRule = { version: number } | 'headerless';

/** What a builder holds, for another thread. */
export interface BuilderState {
  columns: Record<string, unknown>;
  pending: Map<string, number[]>;
  superseded: Map<number, string>;
  copies: Map<string, number>;
  recentCalls: RecentCallsState;
  unsettled: boolean;
  sealed: number;
}

/**
 * Builds the outline entry by entry. Rows keep their numbers; `seal` settles what needs the whole file: references to
 * later entries, repeated ids, orphans and cycles.
 */
export class OutlineBuilder {
  readonly outline: Outline;
  readonly #c = new OutlineColumns();
  /** Parents that no entry carried when they were named. */
  #pending = new Map<string, number[]>();
  /** Rows whose id a later record took over → that id. */
  #superseded = new Map<number, string>();
  /** Repeated id → the number of its last copy. */
  #copies = new Map<string, number>();
  readonly #recentCalls = new RecentCalls();
  /** Of the entry that is being added. */
  readonly #facts = emptyFacts();
  readonly #noFacts = emptyFacts();
  readonly #report: (found: Problem) => void;
  #unsettled = false;
  /** A row that was answered already has found its parent. */
  #adopted = false;
  #sealed = 0;

  /** Entries whose facts are still to be read: those of the last rows. null: facts are read at once. */
  #later: RawRecord[] | null = null;

  /** @param options `later`: facts of entries are read when the outline is first asked for one. The entries are held until then. */
  constructor(report: (found: Problem) => void = () => undefined, options: { later?: boolean } = {}) {
    this.outline = new Outline(this.#c);
    this.#report = report;
    if (options.later !== true) return;
    this.#later = [];
    this.#c.whenAsked(() => this.#describeLater());
  }

  state(): BuilderState {
    this.#describeLater();
    return {
      columns: this.#c.state(),
      pending: this.#pending,
      superseded: this.#superseded,
      copies: this.#copies,
      recentCalls: this.#recentCalls.state(),
      unsettled: this.#unsettled,
      sealed: this.#sealed,
    };
  }

  /** Takes over the state of a sealed builder. */
  restore(state: BuilderState): void {
    this.#c.restore(state.columns);
    this.#pending = state.pending;
    this.#superseded = state.superseded;
    this.#copies = state.copies;
    this.#recentCalls.restore(state.recentCalls);
    this.#unsettled = state.unsettled;
    this.#sealed = state.sealed;
  }

  add(value: RawRecord, place: EntryPlace, rule: IdRule): number {
    const row = this.#c.ids.length;
    const type = asString(value['type']) ?? '';
    // Messages refer to no other entry: nothing of them is needed now.
    const facts = this.#later !== null && type === message.type ? this.#noFacts : clearFacts(this.#facts);
    this.#pushPlace(row, type, place);
    if (this.#later === null) {
      this.#describe(row, type, value, facts, place.mentionsBlob === true);
    } else {
      if (facts === this.#facts) entryKind(type).describe(value, facts);
      facts.flags = 0;
      this.#later.push(value);
    }
    this.#pushReferences(row, value, facts);
    const own = asString(value['id']) ?? '';
    const numbered = rule === 'headerless' ? own === '' : rule.version < 2;
    if (numbered || own === '') facts.flags |= FLAG.generatedId;
    if (!numbered && own === '') {
      this.#report(problem('missing_id', 'The entry has no id of its own.', { line: place.line, byteOffset: place.byteOffset }));
    }
    const id = numbered || own === '' ? recordId(place.record) : own;
    const unique = this.#register(id, row, facts, place);
    const parentId = numbered ? null : asString(value['parentId']);
    this.#c.parents.push(numbered ? row - 1 : this.#parentOf(parentId, id, row, facts));
    this.#c.counts.set(row, COUNT.flags, facts.flags);
    this.#settlePending(id, row);
    if (unique !== id) this.#settlePending(unique, row);
    return row;
  }

  /** The first rows are another session's, which this one was begun with. @param rows how many */
  inherited(rows: number): void {
    this.#c.figures.set('inheritedRows', rows);
  }

  /**
   * Settles the structure and answers its problems. `changed` says that rows have other parents than they had before
   * (at the first seal: when they were added), so that answers made from them are void.
   */
  seal(): { problems: ProblemList; changed: boolean } {
    const c = this.#c;
    const earlier = this.#unsettled && this.#sealed > 0 ? c.parents.view().slice(0, this.#sealed) : null;
    const problems = new ProblemList();
    if (this.#unsettled) {
      for (const [row, parent] of c.cutParents) c.parents.set(row, parent);
      this.#followTakenIds();
      cutCycles(c, (row) =>
        problems.add(() => this.#at('parent_cycle', 'The entry is its own ancestor; it is shown as a root.', row)),
      );
    }
    for (const [parentId, rows] of this.#pending) {
      for (const row of rows) {
        problems.add(() =>
          this.#at('missing_parent', `No entry has the id ${oneLine(parentId, ID_CHARS)}; it is shown as a root.`, row),
        );
      }
    }
    this.#checkReferences(problems);
    const first = this.#sealed === 0;
    const moved = earlier !== null && earlier.some((parent, row) => c.parents.get(row) !== parent);
    const changed = first ? this.#unsettled : this.#adopted || moved;
    this.#adopted = false;
    this.#sealed = c.ids.length;
    return { problems, changed };
  }

  #describeLater(): void {
    const later = this.#later;
    if (later === null || later.length === 0) return;
    this.#later = [];
    const first = this.#c.ids.length - later.length;
    for (let i = 0; i < later.length; i++) {
      const row = first + i;
      const facts = clearFacts(this.#facts);
      this.#describe(row, this.outline.type(row), later[i]!, facts, true);
      this.#c.counts.set(row, COUNT.flags, this.#c.counts.get(row, COUNT.flags) | facts.flags);
    }
  }

  #describe(row: number, type: string, value: RawRecord, facts: EntryFacts, mayHaveBlobs: boolean): void {
    entryKind(type).describe(value, facts);
    if (facts.isAnswer) facts.title = this.#recentCalls.titleOf(facts.calls[0] ?? '') ?? facts.title;
    else for (let i = 0; i < facts.callTitles.length; i++) this.#recentCalls.put(facts.calls[i]!, facts.callTitles[i]!);
    this.#pushFacts(row, value, facts);
    if (!mayHaveBlobs) return;
    const hashes = blobReferences(value).map((reference) => reference.hash);
    if (hashes.length > 0) this.#c.blobs.set(row, hashes);
  }

  #pushPlace(row: number, type: string, place: EntryPlace): void {
    const { counts, floats, names } = this.#c;
    floats.set(row, FLOAT.offset, place.byteOffset);
    counts.set(row, COUNT.length, place.byteLength);
    counts.set(row, COUNT.line, place.line);
    counts.set(row, COUNT.record, place.record);
    counts.set(row, COUNT.type, names.code(type));
  }

  #pushReferences(row: number, value: RawRecord, facts: EntryFacts): void {
    const target = facts.target ?? replacedSpan(value);
    if (target !== null) this.#c.targets.set(row, target);
    const kept = facts.kept ?? keptByIndex(value);
    if (kept !== null) this.#c.kept.set(row, kept);
  }

  #pushFacts(row: number, value: RawRecord, facts: EntryFacts): void {
    const c = this.#c;
    const { counts, floats, names } = c;
    floats.set(row, FLOAT.time, asTime(value['timestamp']) ?? facts.messageTime ?? Number.NaN);
    floats.set(row, FLOAT.chars, facts.chars);
    floats.set(row, FLOAT.input, facts.usage?.input ?? Number.NaN);
    floats.set(row, FLOAT.output, facts.usage?.output ?? Number.NaN);
    floats.set(row, FLOAT.cacheRead, facts.usage?.cacheRead ?? Number.NaN);
    floats.set(row, FLOAT.cacheWrite, facts.usage?.cacheWrite ?? Number.NaN);
    floats.set(row, FLOAT.cost, facts.usage?.cost ?? Number.NaN);
    counts.set(row, COUNT.role, names.code(facts.role));
    counts.set(row, COUNT.model, names.code(facts.model));
    counts.set(row, COUNT.stopReason, names.code(facts.stopReason));
    counts.set(row, COUNT.name, names.code(facts.name ?? ''));
    counts.set(row, COUNT.titleEnd, c.titles.add(lineHead(facts.title)));
    let callsEnd = c.calls.add('');
    for (const id of facts.calls) callsEnd = c.calls.add(id + CALL_END);
    counts.set(row, COUNT.callsEnd, callsEnd);
    counts.set(row, COUNT.callChars, facts.callChars);
    counts.set(row, COUNT.responseEnd, c.responses.add(facts.responseId));
    if (facts.setting !== null) c.settings.set(row, facts.setting);
    if (facts.imageChars > 0) c.imageChars.set(row, facts.imageChars);
    if (facts.archiveChars !== null) c.archiveChars.set(row, facts.archiveChars);
    if (facts.checkpointChars > 0) c.checkpointChars.set(row, facts.checkpointChars);
    if (facts.tokensBefore !== null || facts.tokensAfter !== null) {
      c.compactionTokens.set(row, { before: facts.tokensBefore, after: facts.tokensAfter });
    }
  }

  /** Gives the row its unique id. */
  #register(id: string, row: number, facts: EntryFacts, place: EntryPlace): string {
    const c = this.#c;
    if (c.ids.push(id)) return id;
    let unique = id;
    let n = this.#copies.get(id) ?? 1;
    while (!c.ids.push(unique)) unique = `${id}~${String(++n)}`;
    this.#copies.set(id, n);
    facts.flags |= FLAG.duplicateId | FLAG.generatedId;
    this.#superseded.set(c.lastOf.get(id) ?? c.ids.rowOf(id), id);
    c.lastOf.set(id, row);
    this.#unsettled = true;
    this.#report(
      problem('duplicate_id', `An earlier entry has the id ${oneLine(id, ID_CHARS)}.`, { ...lineOf(place), entryId: unique }),
    );
    return unique;
  }

  #parentOf(parentId: string | null, id: string, row: number, facts: EntryFacts): number {
    if (parentId === null || parentId === '') return -1;
    if (parentId === id) {
      this.#unsettled = true;
      return row;
    }
    const parent = this.outline.resolve(parentId);
    if (parent >= 0) return parent;
    const waiting = this.#pending.get(parentId);
    if (waiting === undefined) this.#pending.set(parentId, [row]);
    else waiting.push(row);
    facts.flags |= FLAG.orphan;
    return -1;
  }

  #settlePending(id: string, row: number): void {
    if (this.#pending.size === 0) return;
    const waiting = this.#pending.get(id);
    if (waiting === undefined) return;
    for (const child of waiting) {
      if (child < this.#sealed) this.#adopted = true;
      this.#c.parents.set(child, row);
      this.#c.counts.set(child, COUNT.flags, this.#c.counts.get(child, COUNT.flags) & ~FLAG.orphan);
    }
    this.#pending.delete(id);
    this.#unsettled = true;
  }

  /** Children of a record whose id a later one took over belong to the later one. */
  #followTakenIds(): void {
    if (this.#superseded.size === 0) return;
    const c = this.#c;
    for (let row = 0; row < c.ids.length; row++) {
      const taken = this.#superseded.get(c.parents.get(row));
      if (taken === undefined) continue;
      // Numbered entries follow the file's order, not ids.
      const named = !this.outline.isRenamed(row) || this.outline.isRepeated(row);
      if (named) c.parents.set(row, c.lastOf.get(taken)!);
    }
  }

  #checkReferences(problems: ProblemList): void {
    const c = this.#c;
    for (const [row, kept] of c.kept) {
      if (this.outline.resolve(kept) < 0)
        problems.add(() => this.#at('kept_entry_missing', `The first kept entry ${oneLine(kept, ID_CHARS)} is not there.`, row));
    }
    for (const [row, target] of c.targets) {
      if (this.outline.type(row) === label.type && this.outline.resolve(target) < 0) {
        problems.add(() =>
          this.#at('label_target_missing', `The labelled entry ${oneLine(target, ID_CHARS)} is not there.`, row),
        );
      }
    }
  }

  #at(
    code: 'missing_parent' | 'parent_cycle' | 'kept_entry_missing' | 'label_target_missing',
    message: string,
    row: number,
  ): Problem {
    return problem(code, message, {
      line: this.outline.line(row),
      byteOffset: this.outline.offset(row),
      entryId: this.outline.id(row),
    });
  }
}

/** v1 compactions name the first kept entry by its record number; the header is 0 and no entry. */
function keptByIndex(value: RawRecord): string | null {
  const index = value['firstKeptEntryIndex'];
  return typeof index === 'number' && Number.isInteger(index) && index > 0 ? recordId(index) : null;
}

function lineOf(place: EntryPlace): { line: number; byteOffset: number } {
  return { line: place.line, byteOffset: place.byteOffset };
}
