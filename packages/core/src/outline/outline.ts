import type { SettingFact, UsageFacts } from '../entries/facts.ts';
import { oneLine } from '../entries/read.ts';
import { NameColumn, NumberColumn, TextColumn } from './columns.ts';
import { hasFlag, type FlagName } from './flags.ts';
import { IdIndex } from './id-index.ts';

/** The bare columns. Only the builder writes them. */
export class OutlineColumns {
  readonly ids = new IdIndex();
  readonly parents = new NumberColumn(Int32Array);
  readonly types = new NameColumn();
  readonly roles = new NameColumn();
  /** Beginnings of what entries are about, as they are in the file. */
  readonly titles = new TextColumn();
  readonly times = new NumberColumn(Float64Array);
  readonly offsets = new NumberColumn(Float64Array);
  readonly lengths = new NumberColumn(Uint32Array);
  readonly lines = new NumberColumn(Uint32Array);
  readonly records = new NumberColumn(Uint32Array);
  readonly flags = new NumberColumn(Uint32Array);
  readonly chars = new NumberColumn(Float64Array);
  readonly calls = new TextColumn();
  readonly models = new NameColumn();
  readonly stopReasons = new NameColumn();
  readonly names = new NameColumn();
  readonly input = new NumberColumn(Float64Array);
  readonly output = new NumberColumn(Float64Array);
  readonly cacheRead = new NumberColumn(Float64Array);
  readonly cacheWrite = new NumberColumn(Float64Array);
  readonly cost = new NumberColumn(Float64Array);
  // Facts of few rows.
  readonly targets = new Map<number, string>();
  readonly kept = new Map<number, string>();
  readonly settings = new Map<number, SettingFact>();
  readonly compactionTokens = new Map<number, { before: number | null; after: number | null }>();
  /** For ids that several records carry: the last one. */
  readonly lastOf = new Map<string, number>();
  /** Parents that were cut off to break a cycle. */
  readonly cutParents = new Map<number, number>();
}

/** Stands between the call ids of one row. */
export const CALL_SEPARATOR = '\u0000';

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

/**
 * The session in memory: one row for every entry in file order, no bodies. Everything that browses is a function of
 * it; a body is read by its span when it is shown.
 */
export class Outline {
  readonly #c: OutlineColumns;

  constructor(columns: OutlineColumns) {
    this.#c = columns;
  }

  get rowCount(): number {
    return this.#c.ids.length;
  }

  /** The last entry of the file, whatever its type; -1 without entries. */
  get leafRow(): number {
    return this.rowCount - 1;
  }

  /** Unique within the session: a repeated id is `<id>~2`, … */
  id(row: number): string {
    return this.#c.ids.get(row);
  }

  /** Row of the parent, -1 for roots. Free of cycles. */
  parent(row: number): number {
    return this.#c.parents.get(row);
  }

  /** All parents; a view that is good until the next refresh. */
  parents(): Int32Array {
    return this.#c.parents.view();
  }

  /** The parent as the file states it where it was cut off to break a cycle, else -1. */
  cutParent(row: number): number {
    return this.#c.cutParents.get(row) ?? -1;
  }

  get hasCuts(): boolean {
    return this.#c.cutParents.size > 0;
  }

  type(row: number): string {
    return this.#c.types.get(row);
  }

  /** Message role; `custom` for custom_message, empty for other types. */
  role(row: number): string {
    return this.#c.roles.get(row);
  }

  /** What the entry is about, on one line. */
  title(row: number): string {
    return oneLine(this.#c.titles.get(row));
  }

  /** Epoch ms, null when unknown. */
  time(row: number): number | null {
    return orNull(this.#c.times.get(row));
  }

  /** Where the record begins in the decoded bytes. */
  offset(row: number): number {
    return this.#c.offsets.get(row);
  }

  /** Length of the record in bytes. */
  bytes(row: number): number {
    return this.#c.lengths.get(row);
  }

  /** 1-based physical line. */
  line(row: number): number {
    return this.#c.lines.get(row);
  }

  /** Number of the record in the file, the header being 0. */
  record(row: number): number {
    return this.#c.records.get(row);
  }

  flags(row: number): number {
    return this.#c.flags.get(row);
  }

  has(row: number, flag: FlagName): boolean {
    return hasFlag(this.flags(row), flag);
  }

  /** Estimate of what the entry puts into a model's context: characters / 4. */
  estimate(row: number): number {
    return Math.ceil(this.#c.chars.get(row) / 4);
  }

  /** input + output + cacheRead + cacheWrite of the call; null when the file does not say. */
  tokens(row: number): number | null {
    const usage = this.usage(row);
    if (usage === null) return null;
    const { input, output, cacheRead, cacheWrite } = usage;
    if (input === null && output === null && cacheRead === null && cacheWrite === null) return null;
    return (input ?? 0) + (output ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0);
  }

  usage(row: number): UsageFacts | null {
    const usage: UsageFacts = {
      input: orNull(this.#c.input.get(row)),
      output: orNull(this.#c.output.get(row)),
      cacheRead: orNull(this.#c.cacheRead.get(row)),
      cacheWrite: orNull(this.#c.cacheWrite.get(row)),
      cost: orNull(this.#c.cost.get(row)),
    };
    return usage.input === null &&
      usage.output === null &&
      usage.cacheRead === null &&
      usage.cacheWrite === null &&
      usage.cost === null
      ? null
      : usage;
  }

  /** "provider/id" of the model that answered, or empty. */
  model(row: number): string {
    return this.#c.models.get(row);
  }

  stopReason(row: number): string {
    return this.#c.stopReasons.get(row);
  }

  /** Ids of the tool calls of a turn, or the one id that a result answers. */
  calls(row: number): string[] {
    const joined = this.#c.calls.get(row);
    return joined === '' ? [] : joined.split(CALL_SEPARATOR);
  }

  /** Label text, session name, customType or tool name; empty for none. */
  name(row: number): string {
    return this.#c.names.get(row);
  }

  /** The id that a label, edit, leaf or archive entry is about, as the file has it. */
  target(row: number): string | null {
    return this.#c.targets.get(row) ?? null;
  }

  /** compaction: the first kept entry's id, as the file has it. */
  kept(row: number): string | null {
    return this.#c.kept.get(row) ?? null;
  }

  setting(row: number): SettingFact | null {
    return this.#c.settings.get(row) ?? null;
  }

  /** Rows with a setting, in file order. */
  settingRows(): IterableIterator<number> {
    return this.#c.settings.keys();
  }

  /** Rows that are about another entry, in file order. */
  targetRows(): IterableIterator<number> {
    return this.#c.targets.keys();
  }

  compactionTokens(row: number): { before: number | null; after: number | null } {
    return this.#c.compactionTokens.get(row) ?? { before: null, after: null };
  }

  /** Row of an entry by its unique id, -1 when there is none. */
  rowOf(id: string): number {
    return this.#c.ids.rowOf(id);
  }

  /** Row that a reference inside the file means: the last record that carries the id. -1 when there is none. */
  resolve(reference: string): number {
    return this.#c.lastOf.get(reference) ?? this.rowOf(reference);
  }
}
