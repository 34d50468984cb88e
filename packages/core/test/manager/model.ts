import { buildSessionContext } from '../../src/context/build-context.ts';
import type { SessionContext } from '../../src/context/types.ts';
import type { SessionEntry } from '../../src/entries/entry.ts';
import type { SessionManager } from '../../src/manager/session-manager.ts';

type Loose = Record<string, unknown>;

/**
 * A session as it is meant, in the plainest form: a list and a position. Ids and times are taken over from the manager, all
 * else is what the operation says.
 */
export class ModelSession {
  readonly dialect: 'musepi' | 'pi';
  entries: Loose[] = [];
  leaf: string | null = null;
  name: string | undefined;
  nameIsUsers = false;
  cwd: string;
  /** It has been loaded, and the leaf has not moved: unanswered calls are closed by what is said next. */
  fresh = false;
  /** It is on disk. */
  stored = false;

  constructor(dialect: 'musepi' | 'pi', cwd: string) {
    this.dialect = dialect;
    this.cwd = cwd;
  }

  copy(): ModelSession {
    const copy = new ModelSession(this.dialect, this.cwd);
    Object.assign(copy, this, { entries: [...this.entries] });
    return copy;
  }

  /** Takes over entries that the manager added, the last of which carries `fields`. */
  add(fields: Loose, added: readonly SessionEntry[]): void {
    const closers = this.fresh && isTalk(fields) ? this.#closers() : [];
    if (isTalk(fields)) this.fresh = false;
    const wanted = [...closers, fields];
    for (const [i, want] of wanted.entries()) {
      const { id, timestamp } = (added[i] ?? {}) as unknown as Loose;
      const entry = { ...want, id, parentId: this.leaf, timestamp };
      this.entries.push(entry);
      this.leaf = id as string;
    }
    if (this.entries.some((entry) => (entry['message'] as Loose | undefined)?.['role'] === 'assistant')) this.stored = true;
  }

  moveLeaf(id: string | null): void {
    if (id !== this.leaf) this.fresh = false;
    this.leaf = id;
  }

  reopen(): void {
    this.leaf = (this.entries.at(-1)?.['id'] as string | undefined) ?? null;
    this.fresh = true;
  }

  path(leaf: string | null): Loose[] {
    const path: Loose[] = [];
    for (let id: unknown = leaf; typeof id === 'string';) {
      const entry = this.entries.find((candidate) => candidate['id'] === id);
      if (entry === undefined) break;
      path.unshift(entry);
      id = entry['parentId'];
    }
    return path;
  }

  labels(): Map<string, Loose> {
    const labels = new Map<string, Loose>();
    for (const entry of this.entries) {
      if (entry['type'] !== 'label') continue;
      if (entry['label']) labels.set(entry['targetId'] as string, entry);
      else labels.delete(entry['targetId'] as string);
    }
    return labels;
  }

  context(): SessionContext {
    return buildSessionContext(this.entries as unknown as SessionEntry[], this.leaf, undefined, { rules: this.dialect });
  }

  /** One branch as a session of its own, by the words of the specification. @param fresh ids and times of the manager's */
  extract(leaf: string, fresh: readonly SessionEntry[]): ModelSession {
    const branch = new ModelSession(this.dialect, this.cwd);
    const kept = this.path(leaf).filter((entry) => entry['type'] !== 'label');
    const path = this.path(leaf);
    for (const entry of kept) {
      const changed: Loose = { ...entry, parentId: branch.leaf };
      const keptAt = path.findIndex(({ id }) => id === entry['firstKeptEntryId']);
      if (keptAt >= 0) {
        const first = path.slice(keptAt).find(({ type }) => type !== 'label');
        if (first !== undefined) changed['firstKeptEntryId'] = first['id'];
      }
      branch.entries.push(changed);
      branch.leaf = entry['id'] as string;
    }
    for (const [targetId, { label, timestamp }] of this.labels()) {
      if (!kept.some(({ id }) => id === targetId)) continue;
      const { id } = (fresh[branch.entries.length] ?? {}) as { id?: string };
      branch.entries.push({ type: 'label', id, parentId: branch.leaf, timestamp, targetId, label });
      branch.leaf = id ?? null;
    }
    const names = branch.entries.filter(({ type }) => type === 'session_info');
    branch.name = this.dialect === 'musepi' ? this.name : (names.at(-1)?.['name'] as string) || undefined;
    branch.nameIsUsers = this.nameIsUsers;
    branch.stored =
      this.dialect === 'musepi' || kept.some((entry) => (entry['message'] as Loose | undefined)?.['role'] === 'assistant');
    return branch;
  }

  #closers(): Loose[] {
    const answered = new Set<unknown>();
    for (const entry of this.path(this.leaf).reverse()) {
      if (['compaction', 'branch_summary', 'custom_message'].includes(entry['type'] as string)) return [];
      if (entry['type'] !== 'message') continue;
      const message = entry['message'] as { role: string; toolCallId?: string; stopReason?: string; content: Loose[] };
      if (message.role === 'toolResult') answered.add(message.toolCallId);
      else if (message.role !== 'assistant' || message.stopReason === 'aborted') return [];
      else {
        const calls = message.content.filter(({ type, id }) => type === 'toolCall' && !answered.has(id));
        return calls.map(({ id, name }) => ({
          type: 'message',
          message: { role: 'toolResult', toolCallId: id, toolName: name, isError: true },
        }));
      }
    }
    return [];
  }
}

function isTalk({ type, message }: Loose): boolean {
  if (type === 'message') return (message as Loose)['role'] !== 'toolResult';
  return type === 'custom_message' || type === 'compaction' || type === 'branch_summary';
}

/** What a session looks like from outside. */
export function viewOf(manager: SessionManager): Loose {
  const entries = manager.getEntries();
  return {
    entries: entries.map(plain),
    leaf: manager.getLeafId(),
    branch: manager.getBranch().map(({ id }) => id),
    labels: entries.flatMap(({ id }) => (manager.getLabel(id) === undefined ? [] : [[id, manager.getLabel(id)]])),
    name: manager.getSessionName(),
    cwd: manager.getCwd(),
    context: contextOf(manager.buildSessionContext()),
  };
}

export function viewOfModel(model: ModelSession): Loose {
  const labels = model.labels();
  return {
    entries: model.entries.map(plain),
    leaf: model.leaf,
    branch: model.path(model.leaf).map(({ id }) => id),
    labels: model.entries.flatMap(({ id }) => {
      const found = labels.get(id as string);
      return found === undefined ? [] : [[id, found['label']]];
    }),
    name: model.name,
    cwd: model.cwd,
    context: contextOf(model.context()),
  };
}

/** Closers say in words of their own that there is no answer, and when they were made: not the model's business. */
export function plain(entry: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(entry)) as Loose;
  const message = copy['message'] as Loose | undefined;
  if (message?.['role'] === 'toolResult' && message['isError'] === true) {
    delete message['content'];
    delete message['timestamp'];
  }
  return copy;
}

function contextOf(context: SessionContext): unknown {
  return { ...context, messages: context.messages.map((message) => (plain({ message }) as Loose)['message']) };
}
