import type { Random } from './random.ts';

export type Body = Record<string, unknown>;

/** How often a session of some family has what real ones have only after accidents. */
export interface Oddity {
  /** Null and missing message contents. */
  nullContent: boolean;
  /** Entries that are their own ancestors; some clients never come back from them. */
  cycles: boolean;
}

const START = Date.parse('2026-03-01T09:00:00.000Z');

/** Grows the entries of one session: a chain that branches, starts anew, loses its parent or repeats an id now and then. */
export class SessionWriter {
  readonly entries: Body[] = [];
  readonly ids: string[] = [];
  /** Calls of all turns so far, answered or not. */
  readonly calls: { id: string; name: string }[] = [];
  readonly random: Random;
  readonly odd: Oddity;
  #time = START;

  constructor(random: Random, odd: Oddity) {
    this.random = random;
    this.odd = odd;
  }

  get lastId(): string | null {
    return this.ids.at(-1) ?? null;
  }

  /** An id of the session, or one that it does not have. */
  anyId(): string {
    return this.ids.length === 0 || this.random.chance(0.06) ? `gone${this.random.hex(4)}` : this.random.pick(this.ids);
  }

  /** An id that stands shortly before the end of the file; most are on the path. */
  recentId(within: number): string {
    return this.ids.length === 0 ? this.anyId() : this.ids[Math.max(0, this.ids.length - this.random.int(1, within))]!;
  }

  time(): string {
    this.#time += this.random.int(1, 90_000);
    return new Date(this.#time).toISOString();
  }

  newId(): string {
    return this.random.hex(8);
  }

  /** @param make gets the entry's id, since messages carry it as a mark. */
  add(type: string, make: (id: string) => Body): void {
    const id = this.newId();
    this.#push({ type, id, parentId: this.#parent(), timestamp: this.time(), ...make(id) });
  }

  /** The entry again with another body under the same id and parent, as a prefix that was written twice leaves it. */
  repeat(): void {
    const earlier = this.random.pick(this.entries.slice(-6));
    const copy: Body = { ...earlier, timestamp: this.time() };
    if (copy['type'] === 'message') copy['message'] = { ...(copy['message'] as Body), repeated: true };
    this.entries.push(copy);
  }

  #push(entry: Body): void {
    this.entries.push(entry);
    this.ids.push(entry['id'] as string);
  }

  #parent(): string | null {
    const { random } = this;
    if (this.ids.length === 0) return null;
    if (random.chance(0.86)) return this.lastId;
    if (random.chance(0.75)) return random.chance(0.6) ? this.recentId(8) : random.pick(this.ids);
    return random.chance(0.6) ? null : `lost${random.hex(4)}`;
  }

  /** Closes a circle: an early entry gets a later one as its parent. */
  closeCircle(): void {
    if (this.entries.length < 6) return;
    const target = this.entries[this.random.int(0, 2)]!;
    target['parentId'] = this.random.pick(this.ids);
  }
}

/** Entries to leave from: the last one, every one without children, some inner ones, none, and ids that are not there. */
export function leavesOf(entries: readonly Body[], random: Random): (string | null | undefined)[] {
  const parents = new Set(entries.map((entry) => entry['parentId']));
  const ids = [...new Set(entries.map((entry) => entry['id'] as string))];
  const leaves = ids.filter((id) => !parents.has(id));
  const inner = new Set<string>();
  for (let n = 0; n < 4; n++) inner.add(random.pick(ids));
  return [...new Set<string | null | undefined>([undefined, ...leaves.slice(-8), ...inner, null, 'unknown', ''])];
}
