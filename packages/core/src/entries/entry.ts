import type { AgentMessage, ContentBlock } from './messages.ts';

/** The format version that we write; older ones are migrated in memory, newer ones are read as they are. */
export const CURRENT_SESSION_VERSION = 3;

/** The first record of a session file. Unknown fields are kept. */
export interface SessionHeader {
  type: 'session';
  id: string;
  /** Absent means 1. */
  version?: number;
  /** ISO 8601. */
  timestamp?: string;
  cwd?: string;
  title?: string;
  titleSource?: string;
  /** A session id or a file path, as the writer liked: lineage, not a foreign key. */
  parentSession?: string;
  /** Lineage in v1 files. */
  branchedFrom?: string;
  [key: string]: unknown;
}

export interface SessionEntryBase {
  type: string;
  id: string;
  parentId: string | null;
  /** ISO 8601. */
  timestamp: string;
}

export interface SessionMessageEntry extends SessionEntryBase {
  type: 'message';
  message: AgentMessage;
}
export interface ThinkingLevelChangeEntry extends SessionEntryBase {
  type: 'thinking_level_change';
  thinkingLevel?: string | null;
  configured?: string | null;
}
export interface ModelChangeEntry extends SessionEntryBase {
  type: 'model_change';
  /** "provider/id" (musepi) */
  model?: string;
  role?: string;
  /** (pi) */
  provider?: string;
  modelId?: string;
}
export interface ServiceTierChangeEntry extends SessionEntryBase {
  type: 'service_tier_change';
  serviceTier?: unknown;
}
export interface CompactionEntry extends SessionEntryBase {
  type: 'compaction';
  summary: string;
  firstKeptEntryId?: string;
  tokensBefore?: number;
  tokensAfter?: number;
  shortSummary?: string;
  details?: unknown;
  preserveData?: unknown;
  fromExtension?: boolean;
  fromHook?: boolean;
  /** Pi 1.6: the system prompt as it stood at the boundary. */
  systemMessage?: AgentMessage;
}
export interface BranchSummaryEntry extends SessionEntryBase {
  type: 'branch_summary';
  fromId: string;
  summary: string;
  details?: unknown;
  fromExtension?: boolean;
}
export interface CustomEntry extends SessionEntryBase {
  type: 'custom';
  customType: string;
  data?: unknown;
}
export interface CustomMessageEntry extends SessionEntryBase {
  type: 'custom_message';
  customType: string;
  content: string | ContentBlock[];
  display: boolean;
  details?: unknown;
  attribution?: 'user' | 'agent';
}
export interface LabelEntry extends SessionEntryBase {
  type: 'label';
  targetId: string;
  /** Absent or empty clears. */
  label?: string;
}
export interface TtsrInjectionEntry extends SessionEntryBase {
  type: 'ttsr_injection';
  injectedRules: string[];
}
export interface SessionInitEntry extends SessionEntryBase {
  type: 'session_init';
  systemPrompt: string | string[];
  task: string;
  tools: string[];
}
export interface ModeChangeEntry extends SessionEntryBase {
  type: 'mode_change';
  mode: string;
  data?: unknown;
}
export interface SessionInfoEntry extends SessionEntryBase {
  type: 'session_info';
  /** Empty clears. */
  name?: string;
}
export interface TitleChangeEntry extends SessionEntryBase {
  type: 'title_change';
  title: string;
  source?: string;
}
export interface ResetBoundaryEntry extends SessionEntryBase {
  type: 'reset_boundary';
}
export interface CredentialPinEntry extends SessionEntryBase {
  type: 'credential_pin';
  provider: string;
  hash: string;
}
export interface ModelUsageEntry extends SessionEntryBase {
  type: 'model_usage';
  purpose?: string;
  provider?: string;
  model?: string;
  usage?: unknown;
}
export interface ArchiveEntry extends SessionEntryBase {
  type: 'archive';
  targetId: string;
  archived: boolean;
}
export interface LeafEntry extends SessionEntryBase {
  type: 'leaf';
  targetId: string | null;
}
export interface ActiveToolsChangeEntry extends SessionEntryBase {
  type: 'active_tools_change';
  activeToolNames: string[];
}
export interface UsageEntry extends SessionEntryBase {
  type: 'usage';
  kind?: string;
  provider?: string;
  model?: string;
  usage?: unknown;
}
export interface ContextEditEntry extends SessionEntryBase {
  type: 'context_edit';
  targetId: string;
  /** null drops the target from the model's view. */
  replacement: string | ContentBlock[] | null;
}
export interface McpToolSelectionEntry extends SessionEntryBase {
  type: 'mcp_tool_selection';
  selectedToolNames: string[];
}

export type SessionEntry =
  | SessionMessageEntry
  | ThinkingLevelChangeEntry
  | ModelChangeEntry
  | ServiceTierChangeEntry
  | CompactionEntry
  | BranchSummaryEntry
  | CustomEntry
  | CustomMessageEntry
  | LabelEntry
  | TtsrInjectionEntry
  | SessionInitEntry
  | ModeChangeEntry
  | SessionInfoEntry
  | TitleChangeEntry
  | ResetBoundaryEntry
  | CredentialPinEntry
  | ModelUsageEntry
  | ArchiveEntry
  | LeafEntry
  | ActiveToolsChangeEntry
  | UsageEntry
  | ContextEditEntry
  | McpToolSelectionEntry;

/** A record of a session file. */
export type FileEntry = SessionHeader | SessionEntry;

/** A record before anything about it has been checked. */
export type RawRecord = Record<string, unknown>;
