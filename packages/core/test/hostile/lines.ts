/** Lines of session files for hostile inputs. Pure: the same in every run. */

export type Fields = Record<string, unknown>;

export const HEADER: Fields = { type: 'session', version: 3, id: 's1', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/w' };

const START = Date.UTC(2026, 0, 1);

/** Id of the n-th entry, in the form that agents write. */
export const idOf = (n: number): string => n.toString(16).padStart(8, '0');

/** A time one second after that of the entry before. */
export const timeOf = (n: number): string => new Date(START + n * 1000).toISOString();

/** An entry; `n` gives id and time, `parent` the number of its parent or null. */
export function entry(n: number, parent: number | null, type: string, fields: Fields = {}): Fields {
  return { type, id: idOf(n), parentId: parent === null ? null : idOf(parent), timestamp: timeOf(n), ...fields };
}

export const user = (n: number, parent: number | null, content: unknown = 'x', over: Fields = {}): Fields => ({
  ...entry(n, parent, 'message', { message: { role: 'user', content } }),
  ...over,
});

export const assistant = (n: number, parent: number | null, content: unknown = [], over: Fields = {}): Fields =>
  entry(n, parent, 'message', {
    message: { role: 'assistant', content, provider: 'p', model: 'm', stopReason: 'stop', ...over },
  });

export const result = (n: number, parent: number | null, callId: string, content: unknown, over: Fields = {}): Fields =>
  entry(n, parent, 'message', { message: { role: 'toolResult', toolCallId: callId, toolName: 'bash', content, ...over } });

export const text = (value: string): Fields[] => [{ type: 'text', text: value }];

export const call = (id: string, name: string, args: unknown): Fields => ({ type: 'toolCall', id, name, arguments: args });

/** A line of a file: an object as JSON, a text or bytes as they are. */
export type Line = Fields | string | Uint8Array;

const encoder = new TextEncoder();
const LF = encoder.encode('\n');

/** Lines, each ended by LF. */
export function file(lines: Iterable<Line>): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const line of lines) {
    parts.push(line instanceof Uint8Array ? line : encoder.encode(typeof line === 'string' ? line : JSON.stringify(line)), LF);
  }
  return concat(parts);
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A header and `count` entries made by number. */
export function* session(count: number, make: (n: number) => Line): Generator<Line> {
  yield HEADER;
  for (let n = 1; n <= count; n++) yield make(n);
}
