/** Session files for tests, written by hand: what a test is about should be seen in it. */

export const T0 = Date.UTC(2026, 0, 1, 12);

const time = (n: number): string => new Date(T0 + n * 1_000).toISOString();

export type Line = Record<string, unknown>;

export function header(id: string, over: Line = {}): Line {
  return { type: 'session', version: 3, id, timestamp: time(0), cwd: '/home/u/work', ...over };
}

export function user(id: string, parentId: string | null, text: string, n = 1): Line {
  const message = { role: 'user', content: [{ type: 'text', text }], timestamp: T0 + n * 1_000 };
  return { type: 'message', id, parentId, timestamp: time(n), message };
}

export function assistant(id: string, parentId: string | null, text: string, n = 2, over: Line = {}): Line {
  const usage = { input: 100, output: 20, cacheRead: 5, cacheWrite: 1, totalTokens: 126, cost: { total: 0.01 } };
  const content = [{ type: 'text', text }];
  const message = {
    role: 'assistant',
    content,
    provider: 'anthropic',
    model: 'claude-test',
    usage,
    stopReason: 'stop',
    timestamp: T0 + n * 1_000,
    ...over,
  };
  return { type: 'message', id, parentId, timestamp: time(n), message };
}

export function compaction(id: string, parentId: string, firstKeptEntryId: string, summary: string, n = 5): Line {
  return { type: 'compaction', id, parentId, timestamp: time(n), summary, firstKeptEntryId, tokensBefore: 1_000 };
}

export function label(id: string, parentId: string, targetId: string, text: string, n = 6): Line {
  return { type: 'label', id, parentId, timestamp: time(n), targetId, label: text };
}

export function text(...lines: readonly (Line | string)[]): string {
  return lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n') + '\n';
}

/** A chain of `count` messages, each the child of the one before. */
export function chain(id: string, count: number): string {
  const lines: Line[] = [header(id)];
  for (let i = 0; i < count; i++) {
    const parent = i === 0 ? null : `e${i - 1}`;
    lines.push(i % 2 === 0 ? user(`e${i}`, parent, `prompt ${i}`, i) : assistant(`e${i}`, parent, `answer ${i}`, i));
  }
  return text(...lines);
}

/** One pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
