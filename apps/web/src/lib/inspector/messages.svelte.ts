import type { Context, ContextQuery } from '@stemma/api/schemas';

export type LoadContext = (query: ContextQuery, signal?: AbortSignal) => Promise<Context>;

const PAGE = 200;

/** Bodies of the messages of one context, fetched when they are asked for. */
export class MessageBodies {
  /** Index of the message that is open, or -1. */
  opened = $state(-1);
  body = $state.raw<unknown>(undefined);
  error = $state.raw<Error | null>(null);
  readonly #load: LoadContext;
  readonly #leaf: string | null;
  readonly #count: number;

  constructor(load: LoadContext, context: Pick<Context, 'leafId' | 'messages'>) {
    this.#load = load;
    this.#leaf = context.leafId;
    this.#count = context.messages.length;
  }

  /** Opens a message, or closes it when it is open. */
  async toggle(index: number): Promise<void> {
    this.body = undefined;
    this.error = null;
    if (this.opened === index) return void (this.opened = -1);
    this.opened = index;
    try {
      const [body] = await this.#page(index, 1);
      if (this.opened === index) this.body = body;
    } catch (error) {
      if (this.opened === index) this.error = error as Error;
    }
  }

  /** All messages as JSON, fetched in pages. */
  async json(): Promise<string> {
    const all: unknown[] = [];
    while (all.length < this.#count) {
      const page = await this.#page(all.length, PAGE);
      if (page.length === 0) break;
      for (const body of page) all.push(body);
    }
    return JSON.stringify(all, null, 2);
  }

  async #page(from: number, limit: number): Promise<unknown[]> {
    const query: ContextQuery = { bodies: '1', from, limit, entries: '0', ...(this.#leaf !== null && { leaf: this.#leaf }) };
    const answer = await this.#load(query);
    const bodies = answer.messages.filter((message) => message.message !== undefined);
    return bodies.slice(0, limit).map((message) => message.message);
  }
}
