import type { SettingFact, UsageFacts } from '../entries/facts.ts';
import { oneLine } from '../entries/read.ts';
import { CountTable, FloatTable, NameTable, RowColumn, TextArena } from './columns.ts';
import { hasFlag, type FlagName } from './flags.ts';
import { IdIndex } from './id-index.ts';

/** Fields of the table of whole numbers. */
export const COUNT = {
  length: 0,
  line: 1,
  record: 2,
  flags: 3,
  type: 4,
  role: 5,
  model: 6,
  stopReason: 7,
  name: 8,
  titleEnd: 9,
  callsEnd: 10,
  callChars: 11,
  responseEnd: 12,
} as const;

/** Fields of the table of other numbers; NaN for unknown ones. */
export const FLOAT = { time: 0, offset: 1, chars: 2, input: 3, output: 4, cacheRead: 5, cacheWrite: 6, cost: 7 } as const;

/** The bare columns. Only the builder writes them. */
export class OutlineColumns {
  readonly ids = new IdIndex();
  readonly parents = new RowColumn();
  readonly counts = new CountTable(Object.keys(COUNT).length);
  readonly floats = new FloatTable(Object.keys(FLOAT).length);
  readonly names = new NameTable();
  /** Beginnings of what entries are about, as they are in the file. */
  readonly titles = new TextArena();
  readonly calls = new TextArena();
  readonly responses = new TextArena();
  // Facts of few rows.
  readonly targets = new Map<number, string>();
  readonly kept = new Map<number, string>();
  readonly settings = new Map<number, SettingFact>();
  readonly imageChars = new Map<number, number>();
  readonly checkpointChars = new Map<number, number>();
  readonly archiveChars = new Map<number, { all: number; images: number }>();
  readonly blobs = new Map<number, string[]>();
  readonly compactionTokens = new Map<number, { before: number | null; after: number | null }>();
  /** For ids that several records carry: the last one. */
  readonly lastOf = new Map<string, number>();
  /** Figures of the whole session. */
  readonly figures = new Map<string, number>();
  /** Parents that were cut off to break a cycle. */
  readonly cutParents = new Map<number, number>();

  #describe: () => void = () => undefined;

  /** Facts of entries may be read late: `describe` is called before one is asked for. */
  whenAsked(describe: () => void): void {
    this.#describe = describe;
  }

  /** The columns with all facts read. */
  get described(): this {
    this.#describe();
    return this;
  }

  /** Every column's state by its name. */
  state(): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(this).map(([name, column]) => [name, column instanceof Map ? column : (column as Column).state()]),
    );
  }

  restore(state: Record<string, unknown>): void {
    for (const [name, column] of Object.entries(this)) {
      if (column instanceof Map) for (const [key, value] of state[name] as Map<unknown, unknown>) column.set(key, value);
      else (column as Column).restore(state[name]);
    }
  }
}

interface Column {
  state(): unknown;
  restore(state: unknown): void;
}

/** Stands behind every call id of a row: an id may be empty. */
export const CALL_END = '\u0000';

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

  /** The first so many rows are another session's, which this one was begun with. */
  get inheritedRows(): number {
    return this.#c.figures.get('inheritedRows') ?? 0;
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
    return this.#c.names.name(this.#c.counts.get(row, COUNT.type));
  }

  /** Message role; `custom` for custom_message, empty for other types. */
  role(row: number): string {
    return this.#name(row, COUNT.role);
  }

  /** What the entry is about, on one line. */
  title(row: number): string {
    return oneLine(this.#facts.titles.read(this.#end(row - 1, COUNT.titleEnd), this.#end(row, COUNT.titleEnd)));
  }

  /** Epoch ms, null when unknown. */
  time(row: number): number | null {
    return orNull(this.#facts.floats.get(row, FLOAT.time));
  }

  /** Where the record begins in the decoded bytes. */
  offset(row: number): number {
    return this.#c.floats.get(row, FLOAT.offset);
  }

  /** Length of the record in bytes. */
  bytes(row: number): number {
    return this.#c.counts.get(row, COUNT.length);
  }

  /** 1-based physical line. */
  line(row: number): number {
    return this.#c.counts.get(row, COUNT.line);
  }

  /** Number of the record in the file, the header being 0. */
  record(row: number): number {
    return this.#c.counts.get(row, COUNT.record);
  }

  /** The file does not say the id, or not as it is here. */
  isRenamed(row: number): boolean {
    return hasFlag(this.#c.counts.get(row, COUNT.flags), 'generatedId');
  }

  /** Are there ids that several entries have? */
  get hasRepeats(): boolean {
    return this.#c.lastOf.size > 0;
  }

  /** An earlier entry has the id that the file says. */
  isRepeated(row: number): boolean {
    return hasFlag(this.#c.counts.get(row, COUNT.flags), 'duplicateId');
  }

  flags(row: number): number {
    return this.#facts.counts.get(row, COUNT.flags);
  }

  has(row: number, flag: FlagName): boolean {
    return hasFlag(this.flags(row), flag);
  }

  /** Estimate of what the entry puts into a model's context: characters / 4. */
  estimate(row: number): number {
    return Math.ceil(this.#facts.floats.get(row, FLOAT.chars) / 4);
  }

  /** Characters behind the estimate: all, those of tool calls, and those of images. */
  chars(row: number): { all: number; calls: number; images: number } {
    const { counts, floats, imageChars } = this.#facts;
    return { all: floats.get(row, FLOAT.chars), calls: counts.get(row, COUNT.callChars), images: imageChars.get(row) ?? 0 };
  }

  /** compaction: characters of the system message that it carries, 0 without one. */
  checkpointChars(row: number): number {
    return this.#facts.checkpointChars.get(row) ?? 0;
  }

  /** compaction: characters of the archive that goes with its summary, images among them. */
  archiveChars(row: number): { all: number; images: number } {
    return this.#facts.archiveChars.get(row) ?? { all: 0, images: 0 };
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
      input: orNull(this.#facts.floats.get(row, FLOAT.input)),
      output: orNull(this.#facts.floats.get(row, FLOAT.output)),
      cacheRead: orNull(this.#facts.floats.get(row, FLOAT.cacheRead)),
      cacheWrite: orNull(this.#facts.floats.get(row, FLOAT.cacheWrite)),
      cost: orNull(this.#facts.floats.get(row, FLOAT.cost)),
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
    return this.#name(row, COUNT.model);
  }

  stopReason(row: number): string {
    return this.#name(row, COUNT.stopReason);
  }

  /** The provider's id of the answer; empty for none. */
  responseId(row: number): string {
    return this.#facts.responses.read(this.#end(row - 1, COUNT.responseEnd), this.#end(row, COUNT.responseEnd));
  }

  /** Hashes of the blobs that an entry refers to, in order; one may occur twice. */
  blobs(row: number): readonly string[] {
    return this.#facts.blobs.get(row) ?? [];
  }

  /** Rows that refer to blobs, in file order. */
  blobRows(): IterableIterator<number> {
    return this.#facts.blobs.keys();
  }

  /** Number of `calls`, without reading them. */
  callCount(row: number): number {
    return this.#facts.calls.count(this.#end(row - 1, COUNT.callsEnd), this.#end(row, COUNT.callsEnd), CALL_END.charCodeAt(0));
  }

  /** Ids of the tool calls of a turn, or the one id that a result answers. */
  calls(row: number): string[] {
    const joined = this.#facts.calls.read(this.#end(row - 1, COUNT.callsEnd), this.#end(row, COUNT.callsEnd));
    return joined === '' ? [] : joined.split(CALL_END).slice(0, -1);
  }

  /** Label text, session name, customType or tool name; empty for none. */
  name(row: number): string {
    return this.#name(row, COUNT.name);
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
    return this.#facts.settings.get(row) ?? null;
  }

  /** Rows with a setting, in file order. */
  settingRows(): IterableIterator<number> {
    return this.#facts.settings.keys();
  }

  /** Rows that are about another entry, in file order. */
  targetRows(): IterableIterator<number> {
    return this.#c.targets.keys();
  }

  compactionTokens(row: number): { before: number | null; after: number | null } {
    return this.#facts.compactionTokens.get(row) ?? { before: null, after: null };
  }

  /** Row of an entry by its unique id, -1 when there is none. */
  rowOf(id: string): number {
    return this.#c.ids.rowOf(id);
  }

  /** Row that a reference inside the file means: the last record that carries the id. -1 when there is none. */
  resolve(reference: string): number {
    const last = this.hasRepeats ? this.#c.lastOf.get(reference) : undefined;
    return last ?? this.rowOf(reference);
  }

  get #facts(): OutlineColumns {
    return this.#c.described;
  }

  #name(row: number, field: number): string {
    return this.#facts.names.name(this.#facts.counts.get(row, field));
  }

  #end(row: number, field: number): number {
    return row < 0 ? 0 : this.#facts.counts.get(row, field);
  }
}
