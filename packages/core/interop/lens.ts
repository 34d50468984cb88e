import type { Explanation, SessionEntry } from '@stemma/core';

type Json = Record<string, unknown>;

/** Id of the entry that a message was made from: a mark in it, or the first id that its text names; empty for none. */
function sourceOf(message: Json, ids: ReadonlySet<string>): string {
  const mark = message['mark'] ?? (message['details'] as Json | undefined)?.['mark'];
  if (typeof mark === 'string') return mark;
  const text = typeof message['summary'] === 'string' ? message['summary'] : JSON.stringify(message['content'] ?? '');
  return text.split(/\W+/).find((word) => ids.has(word)) ?? '';
}

/**
 * Does the lens say of every entry what the client does? Sent and adjusted are exactly the entries that the client's
 * messages come from. Commands that the user excluded stand in the context and are left out later, so both are right.
 * Answers the first contradiction, null without one. Not for sessions with repeated ids: marks repeat there too.
 */
export function lensContradiction(
  entries: readonly SessionEntry[],
  explanations: readonly Explanation[],
  theirs: readonly Json[],
): string | null {
  const ids = new Set(entries.map((entry) => entry.id));
  const sources = new Set(theirs.map((message) => sourceOf(message, ids)));
  if (sources.has('')) return null;
  for (const [row, { id, status, reason }] of explanations.entries()) {
    if (reason === 'excluded_by_user') continue;
    const entry = entries[row]!;
    const sent = status === 'sent' || status === 'adjusted';
    if (sent !== sources.has(id)) {
      return `${entry.type} ${id}: the lens says ${status} ${reason ?? ''}, the client ${sources.has(id) ? 'sends it' : 'does not send it'}`;
    }
    if (entry.type !== 'message' || !sent) continue;
    const message = theirs.find((candidate) => candidate['mark'] === id);
    const stored = JSON.stringify(entry.message.content ?? null);
    const changed = message !== undefined && entry.message.content != null && JSON.stringify(message['content']) !== stored;
    if (changed !== (status === 'adjusted') && entry.message.content != null) {
      return `message ${id}: the lens says ${status}, the client ${changed ? 'changes it' : 'leaves it as it is'}`;
    }
  }
  return null;
}
