/** What the append methods write: the fields of an entry besides its place in the tree. */
import { branchSummary } from '../entries/branch-summary.ts';
import { compaction } from '../entries/compaction.ts';
import { customMessage } from '../entries/custom-message.ts';
import { custom } from '../entries/custom.ts';
import type { RawRecord, SessionEntry } from '../entries/entry.ts';
import { label } from '../entries/label.ts';
import { message } from '../entries/message.ts';
import type { AgentMessage, ContentBlock } from '../entries/messages.ts';
import { modeChange } from '../entries/mode-change.ts';
import { modelChange } from '../entries/model-change.ts';
import { serviceTierChange } from '../entries/service-tier-change.ts';
import { sessionInfo } from '../entries/session-info.ts';
import { sessionInit } from '../entries/session-init.ts';
import { thinkingLevelChange } from '../entries/thinking-level-change.ts';
import { ttsrInjection } from '../entries/ttsr-injection.ts';
import { SessionStoreError } from '../errors.ts';
import type { WritingShapes } from '../shapes/define-shapes.ts';

/** Payload fields with the type in front; `undefined` means absent. */
export type NewEntry = RawRecord & { type: string };

/** Options of a compaction; other fields are stored as they are. */
export interface CompactionOptions {
  shortSummary?: string;
  details?: unknown;
  preserveData?: unknown;
  /** An extension made the summary. */
  fromExtension?: boolean;
  tokensAfter?: number;
  [field: string]: unknown;
}

/** How a sub-agent's session was set up. */
export interface SessionInit {
  systemPrompt: string | string[];
  task: string;
  tools: string[];
  [field: string]: unknown;
}

/** Types whose payload stands before id, parent and time. Readers do not care; byte for byte comparisons do. */
const PAYLOAD_FIRST: ReadonlySet<string> = new Set([custom.type, customMessage.type]);

/** The whole entry, in the order in which agents write its fields. */
export function entryAt(fresh: NewEntry, id: string, parentId: string | null, timestamp: string): SessionEntry {
  const { type } = fresh;
  const isPayloadFirst = PAYLOAD_FIRST.has(type);
  const entry: RawRecord = isPayloadFirst ? { type } : { type, id, parentId, timestamp };
  for (const key in fresh) if (key !== 'type' && fresh[key] !== undefined) entry[key] = fresh[key];
  return (isPayloadFirst ? Object.assign(entry, { id, parentId, timestamp }) : entry) as unknown as SessionEntry;
}

/** @throws `invalid_argument` for a message of nobody: no reader could tell what to do with it */
export function newMessage(value: AgentMessage): NewEntry {
  const role: unknown = (value as Partial<AgentMessage> | null | undefined)?.role;
  if (typeof role !== 'string' || role === '') throw new SessionStoreError('invalid_argument', 'A message has a role.');
  return { type: message.type, message: value };
}

export function newThinkingLevel(level: string | null, writes: WritingShapes): NewEntry {
  return { type: thinkingLevelChange.type, ...writes.thinkingLevelChange(level) };
}

export function newModel(provider: string, modelId: string, role: string | undefined, writes: WritingShapes): NewEntry {
  return { type: modelChange.type, ...writes.modelChange(provider, modelId, role) };
}

export function newServiceTier(serviceTier: unknown): NewEntry {
  return { type: serviceTierChange.type, serviceTier };
}

export function newMode(mode: string, data: unknown): NewEntry {
  return { type: modeChange.type, mode, data };
}

export function newTtsrInjection(injectedRules: string[]): NewEntry {
  return { type: ttsrInjection.type, injectedRules };
}

export function newSessionInit(init: SessionInit): NewEntry {
  return { ...init, type: sessionInit.type };
}

export function newSessionInfo(name: string): NewEntry {
  return { type: sessionInfo.type, name };
}

export function newCustom(customType: string, data: unknown): NewEntry {
  return { type: custom.type, customType, data };
}

export function newCompaction(
  summary: string,
  firstKeptEntryId: string,
  tokensBefore: number,
  options: CompactionOptions,
  writes: WritingShapes,
): NewEntry {
  const { fromExtension, ...rest } = options;
  return { type: compaction.type, summary, firstKeptEntryId, tokensBefore, ...rest, [writes.extensionFlag]: fromExtension };
}

export function newBranchSummary(
  fromId: string | null,
  summary: string,
  details: unknown,
  fromExtension: boolean | undefined,
  writes: WritingShapes,
): NewEntry {
  return { type: branchSummary.type, fromId: fromId ?? 'root', summary, details, [writes.extensionFlag]: fromExtension };
}

/** A clearing label has no text. */
export function newLabel(targetId: string, text: string | undefined): NewEntry {
  return { type: label.type, targetId, label: text === '' ? undefined : text };
}

const UNNAMED = 'custom-message';
/** A passing note of the terminal's, never stored. */
const PASSING_DETAIL = '__queueChipText';

/** Brings what extensions hand over into shape: readers rely on it. */
export function newCustomMessage(
  customType: string,
  content: string | ContentBlock[],
  display: boolean,
  details: unknown,
  attribution: 'user' | 'agent' | undefined,
  writes: WritingShapes,
): NewEntry {
  return {
    type: customMessage.type,
    customType: typeof customType === 'string' && customType !== '' ? customType : UNNAMED,
    content: typeof content === 'string' || Array.isArray(content) ? content : '',
    display: display === true,
    details: lasting(details),
    attribution: writes.attribution ? (attribution === 'user' ? 'user' : 'agent') : undefined,
  };
}

function lasting(details: unknown): unknown {
  if (typeof details !== 'object' || details === null || !(PASSING_DETAIL in details)) return details;
  const { [PASSING_DETAIL]: _passing, ...kept } = details as RawRecord;
  return kept;
}
