import { event } from '../entries/event.ts';
import { PART_LIMIT } from '../entries/parts.ts';
import { assistant } from '../entries/roles/assistant.ts';
import type { Outline } from '../outline/outline.ts';

const NONE: readonly number[] = [];

/** Which events of a path say something of a call on it: those are shown with the call. Made in one pass over the outline. */
export class CallEvents {
  /** Row of a turn → call → rows of events. */
  readonly #of = new Map<number, Map<string, number[]>>();
  readonly #riding = new Set<number>();

  constructor(outline: Outline, rows: readonly number[]) {
    /** What an id means at this place: the call itself, a request for approval, a call that code makes. */
    const owners = new Map<string, { turn: number; call: string }>();
    for (const row of rows) {
      if (outline.role(row) === assistant.role) for (const call of outline.calls(row)) owners.set(call, { turn: row, call });
      else if (outline.type(row) === event.type && outline.callCount(row) > 0) {
        const ids = outline.calls(row);
        const owner = owners.get(ids[0]!);
        if (owner === undefined) continue;
        for (const id of ids) if (!owners.has(id)) owners.set(id, owner);
        this.#add(owner.turn, owner.call, row);
      }
    }
  }

  /** Events about a call of the turn at `row`; of very many only the first. */
  rowsOf(call: string, row: number): readonly number[] {
    return this.#of.get(row)?.get(call) ?? NONE;
  }

  /** Is the event at `row` shown with a call? */
  rides(row: number): boolean {
    return this.#riding.has(row);
  }

  #add(turn: number, call: string, row: number): void {
    const calls = this.#of.get(turn) ?? new Map<string, number[]>();
    this.#of.set(turn, calls);
    const events = calls.get(call) ?? [];
    calls.set(call, events);
    if (events.length < PART_LIMIT) events.push(row);
    this.#riding.add(row);
  }
}
