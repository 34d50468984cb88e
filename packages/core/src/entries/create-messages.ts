/** Messages that are not stored as such but made from entries for the model's context. */
import type { RawRecord } from './entry.ts';
import type { AgentMessage } from './messages.ts';
import { asNumber, asString, asTime } from './read.ts';

/** Epoch ms of an entry's time; 0 when it has none, since a message needs a figure. */
function timeOf(timestamp: unknown): number {
  return asTime(timestamp) ?? 0;
}

/** The message of a custom_message entry. `timestamp` is the entry's ISO text. */
export function createCustomMessage(
  customType: string,
  content: unknown,
  display: boolean,
  details: unknown,
  timestamp: string,
  attribution?: string,
): AgentMessage {
  const message: AgentMessage = {
    role: 'custom',
    customType,
    content: content as NonNullable<AgentMessage['content']>,
    display,
    details,
    timestamp: timeOf(timestamp),
  };
  if (attribution !== undefined) message['attribution'] = attribution;
  return message;
}

export function createBranchSummaryMessage(summary: string, fromId: string, timestamp: string): AgentMessage {
  return { role: 'branchSummary', summary, fromId, timestamp: timeOf(timestamp) };
}

export function createCompactionSummaryMessage(
  summary: string,
  tokensBefore: number,
  timestamp: string,
  shortSummary?: string,
): AgentMessage {
  const message: AgentMessage = { role: 'compactionSummary', summary, tokensBefore, timestamp: timeOf(timestamp) };
  if (shortSummary !== undefined) message['shortSummary'] = shortSummary;
  return message;
}

/** The message of an entry by its type, before any rule adjusts it. */
export const messageMakers = {
  customMessage: (entry: RawRecord): AgentMessage =>
    createCustomMessage(
      asString(entry['customType']) ?? '',
      entry['content'] ?? [],
      entry['display'] === true,
      entry['details'],
      asString(entry['timestamp']) ?? '',
      asString(entry['attribution']) ?? undefined,
    ),
  branchSummary: (entry: RawRecord): AgentMessage =>
    createBranchSummaryMessage(
      asString(entry['summary']) ?? '',
      asString(entry['fromId']) ?? '',
      asString(entry['timestamp']) ?? '',
    ),
  compactionSummary: (entry: RawRecord): AgentMessage =>
    createCompactionSummaryMessage(
      asString(entry['summary']) ?? '',
      asNumber(entry['tokensBefore']) ?? 0,
      asString(entry['timestamp']) ?? '',
      asString(entry['shortSummary']) ?? undefined,
    ),
};
