import {
  buildSessionContext,
  contextMessages,
  explainContext,
  migrateSessionEntries,
  modelContext,
  parseJsonlLenient,
  parseSessionEntries,
  resolveLabels,
  SessionContentDecoder,
  shapesFor,
  statistics,
  transcriptPage,
  transcriptView,
  type ContextOptions,
  type History,
  type Outline,
  type SessionEntry,
  type Statistics,
  type Tally,
} from '../../src/pure.ts';
import { childrenOf, childRows, FLAG, hasFlag, pathTo, type FlagName } from '../../src/pure.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import type { Dialect } from '../../src/store/root-layout.ts';
import { openRoot } from '../../src/store/roots.ts';
import { briefItem, briefMessage } from './brief.ts';
import { decode, rowsOf } from './decode.ts';

/** What `options.json` of a case may hold. */
export interface SampleOptions extends ContextOptions {
  leaf?: string | null;
  history?: History;
  limit?: number;
  before?: string;
  after?: string;
  around?: string;
  /** Time of the file, epoch ms. */
  mtime?: number;
  dialect?: Dialect;
}

export function readBodies(bytes: Uint8Array): SessionEntry[] {
  const decoder = new SessionContentDecoder();
  decoder.push(bytes);
  return decoder.finish().entries;
}

const leafRowOf = (outline: Outline, leaf: string | null | undefined): number => {
  if (leaf === null) return -1;
  const row = leaf === undefined ? -1 : outline.resolve(leaf);
  return row >= 0 ? row : outline.leafRow;
};

/** What the cases say of statistics; the rest has tests of its own. */
function figuresOf({ active, abandoned, total }: Statistics): unknown {
  const figures = ({ calls: _calls, unknownUsage: _usage, unknownCost: _cost, ...tally }: Tally): unknown => tally;
  return { active: figures(active), abandoned: figures(abandoned), total: figures(total) };
}

/** Every projection shows one view of a file in a form that is easy to write by hand. */
export const PROJECTIONS: Record<string, (bytes: Uint8Array, options: SampleOptions) => unknown> = {
  decode(bytes) {
    const { decoder, ids, problems } = decode(bytes);
    const records = parseSessionEntries(new TextDecoder().decode(bytes));
    return {
      header: decoder.header?.id ?? null,
      title: decoder.header?.title ?? null,
      entries: ids,
      problems,
      loaded: records.length,
      records: parseJsonlLenient(bytes).records.map((record) => record.value),
    };
  },

  migrate(bytes) {
    return migrateSessionEntries(parseSessionEntries(new TextDecoder().decode(bytes)));
  },

  async context(bytes, { leaf, ...options }) {
    const bodies = readBodies(bytes);
    const { messages, cacheMissExplainedAt, injectedTtsrRules, ...settings } = buildSessionContext(
      bodies,
      leaf,
      undefined,
      options,
    );
    const briefs = messages.map(briefMessage);
    if (options.transcript !== true) {
      // The way that the app goes, over the outline of the file, must answer the same.
      const { outline } = decode(bytes);
      const shapes = shapesFor(options.rules);
      const plan = modelContext(outline, leafRowOf(outline, leaf), shapes);
      const load = (rows: readonly number[]): Promise<SessionEntry[]> => Promise.resolve(rows.map((row) => bodies[row]!));
      const planned = (await contextMessages(plan, shapes, load, 0, 1e6)).map(briefMessage);
      if (planned.join('\n') !== briefs.join('\n')) throw new Error(`the outline's context differs:\n${planned.join('\n')}`);
    }
    return {
      messages: briefs,
      ...settings,
      modeData: settings.modeData ?? null,
      rules: injectedTtsrRules,
      cacheMiss: cacheMissExplainedAt,
    };
  },

  explain(bytes, { leaf, ...options }) {
    const verdicts = explainContext(readBodies(bytes), leaf, options).map(({ id, status, reason, compactionId }) => [
      id,
      `${status}${reason === undefined ? '' : ` ${reason}`}${compactionId === undefined ? '' : ` by ${compactionId}`}`,
    ]);
    return Object.fromEntries(verdicts) as unknown;
  },

  async transcript(bytes, { leaf, history = 'full', rules, limit = 60, before, after, around }) {
    const { outline } = decode(bytes);
    const bodies = readBodies(bytes);
    const view = transcriptView(outline, leafRowOf(outline, leaf), history, shapesFor(rules));
    const at = (key: string, id: string | undefined): object => (id === undefined ? {} : { [key]: outline.rowOf(id) });
    const request = { limit, ...at('before', before), ...at('after', after), ...at('around', around) };
    const page = await transcriptPage(outline, view, (rows) => Promise.resolve(rows.map((row) => bodies[row]!)), request);
    const name = (row: number): string | null => (row < 0 ? null : outline.id(row));
    return { items: page.items.map(briefItem), before: name(page.before), after: name(page.after) };
  },

  tree(bytes, { leaf }) {
    const { outline, problems } = decode(bytes);
    const children = childrenOf(outline.parents());
    const names = (rows: Iterable<number>): string[] => Array.from(rows, (row) => outline.id(row));
    const branching = rowsOf(outline).filter((row) => childRows(children, row).length > 0);
    return {
      roots: names(childRows(children, -1)),
      children: Object.fromEntries(branching.map((row) => [outline.id(row), names(childRows(children, row))])),
      leaf: outline.rowCount === 0 ? null : outline.id(outline.leafRow),
      path: names(pathTo(outline.parents(), leafRowOf(outline, leaf))),
      labels: Object.fromEntries([...resolveLabels(outline)].map(([row, { label }]) => [outline.id(row), label])),
      labelTimes: Object.fromEntries([...resolveLabels(outline)].map(([row, { time }]) => [outline.id(row), time])),
      problems,
    };
  },

  async listing(bytes, { mtime = 1_700_000_000_000, dialect = 'musepi' }) {
    const disk = new MemoryDisk();
    disk.writeFile('/sessions/bucket/one.jsonl', bytes, mtime);
    const root = await openRoot({ path: '/sessions', dialect }, disk);
    const [file] = (await root.scan()).sessions;
    const { shapes, models, labels, ...summary } = await root.summarise(file!);
    const modified = (shapes.modifiedBy === 'message' ? summary.lastMessage : null) ?? file!.modifiedMs;
    return { ...summary, shapes: shapes.id, models, labels, modified, problems: summary.problems.map((found) => found.code) };
  },

  outline(bytes, { leaf }) {
    const { outline } = decode(bytes);
    const flags = (row: number): string[] =>
      (Object.keys(FLAG) as FlagName[]).filter((name) => hasFlag(outline.flags(row), name));
    return {
      titles: rowsOf(outline).map((row) => outline.title(row)),
      roles: rowsOf(outline).map((row) => outline.role(row)),
      flags: rowsOf(outline).map((row) => flags(row).join(' ')),
      models: rowsOf(outline).map((row) => outline.model(row)),
      calls: rowsOf(outline).map((row) => outline.calls(row)),
      tokens: rowsOf(outline).map((row) => outline.tokens(row)),
      times: rowsOf(outline).map((row) => outline.time(row)),
      statistics: figuresOf(statistics(outline, leafRowOf(outline, leaf))),
    };
  },
};
