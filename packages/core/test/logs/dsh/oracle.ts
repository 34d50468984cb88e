/**
 * What a log says, found in the simplest way, with lists that are searched from their beginning. Written from the description of the
 * format and not from the code, so that the two can be compared. For logs of one writer.
 */
export interface HarnessEvent {
  type: string;
  seq: number;
  data: Record<string, unknown>;
  surfaceOp?: 'append' | { op: string; start?: number; end?: number; startSeq?: number; endSeq?: number };
}

const PIECES = ['assistant/chunk', 'text-chunks', 'reasoning-chunks', 'tool-call-chunks'];

/** Header and events of a log; rows of pieces as they are stored. */
export function linesOf(log: string): { header: Record<string, unknown>; rows: HarnessEvent[] } {
  const [header, ...rows] = log
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { header: header!, rows: rows as unknown as HarnessEvent[] };
}

/** Events that are more than a piece of an answer. */
export function wholeEvents(rows: readonly HarnessEvent[]): HarnessEvent[] {
  return rows.filter(({ type }) => !PIECES.includes(type));
}

/** Numbers of the events that the model sees, in its order. */
export function surfaceOf(rows: readonly HarnessEvent[]): number[] {
  const surface: number[] = [];
  for (const { seq, surfaceOp } of rows) {
    if (surfaceOp === undefined) continue;
    if (surfaceOp === 'append') surface.push(seq);
    else {
      const from = surface.indexOf((surfaceOp.start ?? surfaceOp.startSeq)!);
      const to = surface.indexOf((surfaceOp.end ?? surfaceOp.endSeq)!);
      surface.splice(from, to - from + 1, seq);
    }
  }
  return surface;
}

/** Events that the session took from another. */
export function inheritedOf({ header, rows }: ReturnType<typeof linesOf>): number {
  const marks = rows.filter(({ type, data }) => type === 'session/end-seed' && data['inherited'] === true);
  return (header['seedLength'] as number | undefined) ?? marks.at(-1)?.seq ?? 0;
}

interface Usage {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
}

/** Tokens of the answers that are the session's own, once for each turn and step. */
export function tokensOf(log: ReturnType<typeof linesOf>): number {
  const steps = new Map<string, number>();
  for (const { type, seq, data } of log.rows) {
    if (type !== 'assistant/message' || seq < inheritedOf(log) || data['usage'] === undefined) continue;
    const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = data['usage'] as Usage;
    steps.set(`${String(data['turn'])} ${String(data['step'])}`, inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens);
  }
  return [...steps.values()].reduce((sum, tokens) => sum + tokens, 0);
}
