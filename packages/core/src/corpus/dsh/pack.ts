/** Streamed deltas packed as the harness stores them: runs of three and more become one row. */

export interface Delta {
  type: 'text-delta' | 'reasoning-delta' | 'tool-call-delta';
  index: number;
  text?: string;
  id?: string;
  name?: string;
  argumentsDelta?: string;
}

export type Chunk =
  | Delta
  | { type: 'block-start'; index: number; blockType: string }
  | { type: 'block-end'; index: number; block: object }
  | { type: 'usage'; usage: object }
  | { type: 'finish'; reason: object };

export interface TimedChunk {
  time: number;
  chunk: Chunk;
}

/** A run of deltas that one row can hold. */
export interface Run {
  type: 'text-chunks' | 'reasoning-chunks' | 'tool-call-chunks';
  first: TimedChunk;
  /** Gaps between the members, ms: one less than members. */
  dt: number[];
  pieces: string[];
}

const LEAST = 3;

/** Cuts chunks into runs of at least three like deltas and single ones, in order. */
export function runsOf(chunks: readonly TimedChunk[]): (Run | TimedChunk)[] {
  const out: (Run | TimedChunk)[] = [];
  for (let i = 0; i < chunks.length;) {
    const first = chunks[i] as TimedChunk;
    let end = i + 1;
    if (isDelta(first.chunk)) while (end < chunks.length && isLike(first.chunk, (chunks[end] as TimedChunk).chunk)) end++;
    if (end - i >= LEAST) out.push(run(chunks.slice(i, end)));
    else for (let k = i; k < end; k++) out.push(chunks[k] as TimedChunk);
    i = end;
  }
  return out;
}

/** Index, gaps and pieces of a run as both kinds of rows hold them. */
export function runFields({ first, dt, pieces }: Run): object {
  const { type, index, id, name } = first.chunk as Delta;
  if (type !== 'tool-call-delta') return { index, dt, texts: pieces };
  return { index, dt, id, ...(name === undefined ? {} : { name }), args: pieces };
}

function run(members: readonly TimedChunk[]): Run {
  const first = members[0] as TimedChunk;
  const deltas = members.map(({ chunk }) => chunk as Delta);
  return {
    type: `${(first.chunk as Delta).type.slice(0, -6)}-chunks` as Run['type'],
    first,
    dt: members.slice(1).map(({ time }, k) => time - (members[k] as TimedChunk).time),
    pieces: deltas.map(({ text, argumentsDelta }) => text ?? argumentsDelta ?? ''),
  };
}

function isDelta(chunk: Chunk): chunk is Delta {
  return chunk.type.endsWith('-delta');
}

function isLike(a: Delta, b: Chunk): boolean {
  return isDelta(b) && a.type === b.type && a.index === b.index && a.id === b.id && a.name === b.name;
}
