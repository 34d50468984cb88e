/** What an entry is written with, beside id, parent and time. */
type Fields = { type: string } & Record<string, unknown>;

const START = Date.parse('2026-03-02T09:00:00.000Z');
const USAGE = {
  input: 1200,
  output: 300,
  cacheRead: 800,
  cacheWrite: 0,
  totalTokens: 2300,
  cost: { input: 0.0036, output: 0.0045, cacheRead: 0.0002, cacheWrite: 0, total: 0.0083 },
};

/** Writes a Pi session of version 3, entry by entry. Ids and times are the same in every run. */
export class SessionFile {
  readonly id: string;
  readonly cwd: string;
  readonly #lines: string[] = [];
  #leaf: string | null = null;
  #count = 0;
  #torn = '';

  /** @param id the session's, @param cwd the folder it was held in */
  constructor(id: string, cwd: string) {
    this.id = id;
    this.cwd = cwd;
    this.#lines.push(JSON.stringify({ type: 'session', version: 3, id, timestamp: new Date(START).toISOString(), cwd }));
  }

  /** Appends under the leaf and answers the new id, which is the leaf from then on. */
  add(fields: Fields): string {
    this.#count += 1;
    const id = this.#count.toString(16).padStart(8, '0');
    const { type, ...rest } = fields;
    const timestamp = new Date(this.#now()).toISOString();
    this.#lines.push(JSON.stringify({ type, id, parentId: this.#leaf, timestamp, ...rest }));
    this.#leaf = id;
    return id;
  }

  user(text: string): string {
    return this.add({ type: 'message', message: { role: 'user', content: [{ type: 'text', text }], timestamp: this.#now() } });
  }

  assistant(text: string, ...calls: { id: string; name: string; arguments: Record<string, unknown> }[]): string {
    const content = [{ type: 'text', text }, ...calls.map((call) => ({ type: 'toolCall', ...call }))];
    const stopReason = calls.length > 0 ? 'toolUse' : 'stop';
    const model = { api: 'anthropic-messages', provider: 'anthropic', model: 'claude-sonnet-4-5' };
    return this.add({
      type: 'message',
      message: { role: 'assistant', content, ...model, usage: USAGE, stopReason, timestamp: this.#now() },
    });
  }

  toolResult(toolCallId: string, toolName: string, text: string, isError = false): string {
    const content = [{ type: 'text', text }];
    return this.add({
      type: 'message',
      message: { role: 'toolResult', toolCallId, toolName, content, isError, timestamp: this.#now() },
    });
  }

  /** The next entry goes under this one: a branch, when something is there already. */
  goTo(id: string): this {
    this.#leaf = id;
    return this;
  }

  /** A line as it is, for damage. */
  line(text: string): this {
    this.#lines.push(text);
    return this;
  }

  /** A last line that was cut off while it was written. */
  torn(text: string): this {
    this.#torn = text;
    return this;
  }

  /** @returns the file's name in its folder */
  get name(): string {
    return `${new Date(START).toISOString().replace(/[:.]/g, '-')}_${this.id}.jsonl`;
  }

  toString(): string {
    return `${this.#lines.join('\n')}\n${this.#torn}`;
  }

  #now(): number {
    return START + this.#count * 60_000;
  }
}
