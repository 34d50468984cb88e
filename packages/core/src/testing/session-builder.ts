/** Small sessions for tests, written down as the conversation that they are. No clock, no random. */
import { branchSummary } from '../entries/branch-summary.ts';
import { compaction } from '../entries/compaction.ts';
import { CURRENT_SESSION_VERSION, type RawRecord, type SessionEntry } from '../entries/entry.ts';
import { label } from '../entries/label.ts';
import { message } from '../entries/message.ts';
import type { ContentBlock } from '../entries/messages.ts';
import { assistant } from '../entries/roles/assistant.ts';
import { toolResult } from '../entries/roles/tool-result.ts';
import { user } from '../entries/roles/user.ts';

/** Fields that replace or join what the builder writes. `id` and `parentId` are those of the entry. */
export type Extra = Record<string, unknown>;

/** The first entry's time; each entry comes one second after the one before it. */
const FIRST_TIME = Date.UTC(2026, 0, 1);

/** Fields of a message's extras that belong to the entry around it. */
const OF_ENTRY = new Set(['id', 'parentId', 'timestamp']);

/**
 * Builds a session line by line. Every entry is a child of the one before it, unless `at` moved the position; ids are
 * `e1`, `e2`, … in file order, unless `extra.id` says another.
 */
export class SessionBuilder {
  readonly #lines: string[] = [];
  readonly #entries: RawRecord[] = [];
  #parent: string | null = null;

  /** @param header fields of the header that differ from the builder's; null: no header. */
  constructor(header: Extra | null = {}) {
    if (header === null) return;
    const timestamp = new Date(FIRST_TIME).toISOString();
    const full = { type: 'session', version: CURRENT_SESSION_VERSION, id: 'session-1', timestamp, cwd: '/home/ann/app' };
    this.#lines.push(JSON.stringify({ ...full, ...header }));
  }

  /** Id of the last entry, or null. */
  get leafId(): string | null {
    return this.#parent;
  }

  /** Any entry. */
  entry(type: string, fields: Extra = {}): this {
    const number = this.#entries.length + 1;
    const timestamp = new Date(FIRST_TIME + number * 1000).toISOString();
    const record: RawRecord = { type, id: `e${String(number)}`, parentId: this.#parent, timestamp, ...fields };
    this.#entries.push(record);
    this.#lines.push(JSON.stringify(record));
    this.#parent = record['id'] as string;
    return this;
  }

  /** A message of any role; `extra` goes into the message, its `id`, `parentId` and `timestamp` into the entry. */
  message(role: string, fields: Extra = {}): this {
    const own: Extra = {};
    const inner: Extra = { role };
    for (const [key, value] of Object.entries(fields)) (OF_ENTRY.has(key) ? own : inner)[key] = value;
    return this.entry(message.type, { ...own, message: inner });
  }

  user(content: string | ContentBlock[], extra: Extra = {}): this {
    return this.message(user.role, { content, ...extra });
  }

  /** An answer that stopped by itself, of a model without a name. Text becomes one block. */
  assistant(content: string | ContentBlock[], extra: Extra = {}): this {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return this.message(assistant.role, { content: blocks, stopReason: 'stop', ...extra });
  }

  /** An answer that is one tool call. */
  call(callId: string, name = 'read', args: unknown = {}, extra: Extra = {}): this {
    const block = { type: 'toolCall', id: callId, name, arguments: args };
    return this.assistant([block], { stopReason: 'toolUse', ...extra });
  }

  result(callId: string, text: string, extra: Extra = {}): this {
    const content = [{ type: 'text', text }];
    return this.message(toolResult.role, { toolCallId: callId, toolName: 'read', content, isError: false, ...extra });
  }

  compaction(summary: string, firstKeptEntryId?: string, extra: Extra = {}): this {
    const kept = firstKeptEntryId === undefined ? {} : { firstKeptEntryId };
    return this.entry(compaction.type, { summary, ...kept, tokensBefore: 1000, ...extra });
  }

  branchSummary(summary: string, fromId: string, extra: Extra = {}): this {
    return this.entry(branchSummary.type, { fromId, summary, ...extra });
  }

  /** Without a text the label is cleared. */
  label(targetId: string, text?: string, extra: Extra = {}): this {
    return this.entry(label.type, { targetId, ...(text === undefined ? {} : { label: text }), ...extra });
  }

  /** The next entry is a child of this one; null makes it a root. */
  at(id: string | null): this {
    this.#parent = id;
    return this;
  }

  /** A line as it is: damage, blanks, a second header. */
  raw(line: string): this {
    this.#lines.push(line);
    return this;
  }

  /** The entries, without what `raw` put in. */
  entries(): SessionEntry[] {
    return structuredClone(this.#entries) as unknown as SessionEntry[];
  }

  /** Lines of the file, the header first. */
  lines(): string[] {
    return [...this.#lines];
  }

  /** The file, each line ended by LF. */
  text(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }

  /** The file as UTF-8. */
  bytes(): Uint8Array {
    return new TextEncoder().encode(this.text());
  }
}

/** See `SessionBuilder`: `session().user('hi').assistant('yo').bytes()`. */
export function session(header: Extra | null = {}): SessionBuilder {
  return new SessionBuilder(header);
}
