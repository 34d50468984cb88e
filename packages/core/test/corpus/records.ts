/** What the tests of the corpus look at in a line. */
export interface Entry {
  type: string;
  id: string;
  parentId: string | null;
  timestamp: string;
  message?: {
    role: string;
    content: string | { type: string; id?: string; text?: string; data?: string; name?: string }[];
    toolCallId?: string;
    toolName?: string;
    stopReason?: string;
    usage?: Record<string, number> & { cost: Record<string, number> };
  };
  firstKeptEntryId?: string;
  targetId?: string;
  [key: string]: unknown;
}

export interface Parsed {
  header: Entry & { cwd: string; parentSession?: string };
  entries: Entry[];
  lines: string[];
}

/** Parses the lines of a session; throws where one is not JSON or no header stands in front. */
export function parse(source: Iterable<string>): Parsed {
  const lines = [...source];
  const records = lines.map((line) => JSON.parse(line) as Entry);
  if (records[0]?.type === 'title') records.shift();
  const header = records.shift();
  if (header?.type !== 'session') throw new Error('no header');
  return { header: header as Parsed['header'], entries: records, lines };
}

export function byteLength(lines: Iterable<string>): number {
  let sum = 0;
  for (const line of lines) sum += Buffer.byteLength(line) + 1;
  return sum;
}

/** Entries without children. */
export function leaves(entries: readonly Entry[]): number {
  const parents = new Set(entries.map((entry) => entry.parentId));
  return entries.filter((entry) => !parents.has(entry.id)).length;
}

/** Ids from an entry up to its root. */
export function ancestors(entries: readonly Entry[], id: string | null): Set<string> {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const out = new Set<string>();
  for (let at = id; at !== null && !out.has(at); at = byId.get(at)?.parentId ?? null) out.add(at);
  return out;
}
