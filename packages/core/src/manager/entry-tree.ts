import type { LabelEntry, SessionEntry, SessionMessageEntry } from '../entries/entry.ts';
import { label } from '../entries/label.ts';
import { message } from '../entries/message.ts';
import { SessionStoreError } from '../errors.ts';
import { EntryIndex } from './entry-index.ts';
import { assistant } from '../entries/roles/assistant.ts';

/** A label in force. */
export interface LabelInForce {
  label: string;
  /** Of the entry that set it, ISO 8601. */
  timestamp: string;
}

/**
 * The entries of a session in file order, and where the conversation stands. Entries are never changed here. Where an
 * id is there twice, it means the last one.
 */
export class EntryTree {
  #entries: SessionEntry[] = [];
  #index = new EntryIndex(this.#entries);
  /** These are made when they are asked for. */
  #children: Map<string, SessionEntry[]> | null = null;
  #labels: Map<string, LabelInForce> | null = null;
  #leafId: string | null = null;
  #answered = false;

  /** Takes over the list. The leaf is the last entry, of whatever type. */
  constructor(entries: SessionEntry[] = []) {
    this.replaceAll(entries);
    this.#leafId = entries.at(-1)?.id ?? null;
  }

  /** In file order; not to be changed. */
  get entries(): readonly SessionEntry[] {
    return this.#entries;
  }

  get(id: string): SessionEntry | undefined {
    return this.#index.get(id);
  }

  get leafId(): string | null {
    return this.#leafId;
  }

  /** An assistant has said something. */
  get answered(): boolean {
    return this.#answered;
  }

  has(id: string): boolean {
    return this.#index.has(id);
  }

  /** @throws `entry_not_found` */
  mustHave(id: string): void {
    if (!this.#index.has(id)) throw new SessionStoreError('entry_not_found', `Entry ${id} not found`, { id });
  }

  /** Moves the leaf; null lets the next entry be a root. The entry must be there. */
  moveLeaf(id: string | null): void {
    this.#leafId = id;
  }

  /** Adds an entry at the end; it becomes the leaf. */
  add(entry: SessionEntry): void {
    this.#entries.push(entry);
    this.#index.update();
    this.#answered ||= isAnswer(entry);
    this.#leafId = entry.id;
    if (this.#children !== null) addChild(this.#children, entry);
    if (this.#labels !== null) applyLabel(this.#labels, entry);
  }

  /** Puts entries of others before the one at `index`. The leaf stays. */
  insert(index: number, added: readonly SessionEntry[]): void {
    this.replaceAll([...this.#entries.slice(0, index), ...added, ...this.#entries.slice(index)]);
  }

  /** Undoes `add`, while it is the last entry. */
  takeBack(entry: SessionEntry): void {
    this.replaceAll(this.#entries.filter((other) => other !== entry));
    this.#leafId = entry.parentId;
  }

  /** Other entries in place of all. The leaf stays where it is still there, else it is the last entry. */
  replaceAll(entries: SessionEntry[]): void {
    this.#entries = entries;
    this.#index = new EntryIndex(entries);
    this.#answered = entries.some(isAnswer);
    this.#children = null;
    this.#labels = null;
    if (this.#leafId !== null && !this.#index.has(this.#leafId)) this.#leafId = entries.at(-1)?.id ?? null;
  }

  /** Direct children in file order. */
  children(id: string): readonly SessionEntry[] {
    if (this.#children === null) {
      this.#children = new Map();
      for (const entry of this.#entries) addChild(this.#children, entry);
    }
    return this.#children.get(id) ?? [];
  }

  /** Labels in force by their target, oldest first: for each target the last label of the file counts, on any branch. */
  labels(): ReadonlyMap<string, LabelInForce> {
    if (this.#labels === null) {
      this.#labels = new Map();
      for (const entry of this.#entries) applyLabel(this.#labels, entry);
    }
    return this.#labels;
  }

  /** From the root to an entry; empty for an unknown id. An entry that comes up again ends the way. */
  branch(id: string | null): SessionEntry[] {
    const path: SessionEntry[] = [];
    const seen = new Set<SessionEntry>();
    let at = id === null ? undefined : this.#index.get(id);
    while (at !== undefined && !seen.has(at)) {
      seen.add(at);
      path.push(at);
      at = typeof at.parentId === 'string' ? this.#index.get(at.parentId) : undefined;
    }
    return path.reverse();
  }
}

function isAnswer(entry: SessionEntry): boolean {
  if (entry.type !== message.type) return false;
  // A file may hold anything in its place.
  const inner = (entry as SessionMessageEntry).message as SessionMessageEntry['message'] | null | undefined;
  return inner?.role === assistant.role;
}

function addChild(children: Map<string, SessionEntry[]>, entry: SessionEntry): void {
  const { parentId } = entry;
  if (typeof parentId !== 'string' || parentId === entry.id) return;
  const siblings = children.get(parentId);
  if (siblings === undefined) children.set(parentId, [entry]);
  else siblings.push(entry);
}

function applyLabel(labels: Map<string, LabelInForce>, entry: SessionEntry): void {
  if (entry.type !== label.type) return;
  const { targetId, label: text, timestamp } = entry as LabelEntry;
  if (typeof text === 'string' && text !== '') labels.set(targetId, { label: text, timestamp });
  else labels.delete(targetId);
}
