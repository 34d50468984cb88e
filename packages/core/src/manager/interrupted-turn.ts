import { interruptedTurnClosers } from '../context/interrupted.ts';
import { message } from '../entries/message.ts';
import type { AgentMessage } from '../entries/messages.ts';
import { entryKind } from '../entries/registry.ts';
import { toolResult } from '../entries/roles/tool-result.ts';
import type { EntryTree } from './entry-tree.ts';
import type { NewEntry } from './new-entries.ts';

const NOTHING: readonly NewEntry[] = [];

/**
 * Remembers that a session was loaded and may end in a turn whose calls nobody will answer any more: the next thing that is
 * said closes it. Results are let through, since an agent may take the turn up again; settings and labels wait with it.
 */
export class InterruptedTurn {
  #isOpen: boolean;

  /** @param loaded the session was read from a store, and the leaf has not been moved since */
  constructor(loaded: boolean) {
    this.#isOpen = loaded;
  }

  /** What must be appended before `fresh`. @param now epoch ms, for the messages */
  closersBefore(fresh: NewEntry, tree: EntryTree, now: () => number): readonly NewEntry[] {
    if (!this.#isOpen || !isTalk(fresh)) return NOTHING;
    this.#isOpen = false;
    const closers = interruptedTurnClosers(tree.entries, tree.leafId, tree);
    return closers.map((closer) => ({ type: message.type, message: { ...closer, timestamp: now() } }));
  }
}

function isTalk(fresh: NewEntry): boolean {
  const { category } = entryKind(fresh.type);
  if (category !== 'message' && category !== 'summary') return false;
  return fresh.type !== message.type || (fresh['message'] as AgentMessage | null)?.role !== toolResult.role;
}
