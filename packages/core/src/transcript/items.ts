/** The closed set of things that a reader sees in a transcript. */
export const TRANSCRIPT_KINDS = [
  'user',
  'assistant',
  'toolCall',
  'toolResult',
  'bash',
  'custom',
  'system',
  'compaction',
  'branchSummary',
  'settings',
  'notice',
  'unknown',
] as const;
export type TranscriptKind = (typeof TRANSCRIPT_KINDS)[number];

/** Texts over this many bytes (UTF-16 units × 1) are cut; the item then says how long they were. */
export const TEXT_LIMIT = 64 * 1024;

export interface Truncated {
  /** Length of the whole text in UTF-16 units. */
  bytes: number;
}

/** The n-th image of an entry, counted in reading order. Its bytes are fetched apart. */
export interface ImageRef {
  index: number;
  mimeType: string;
  /** Length of the base64 text where it is inline, else null. */
  bytes: number | null;
  /** The blob's hash, where the file refers to one. */
  blob: string | null;
}

export interface TextPart {
  type: 'text';
  text: string;
  truncated?: Truncated;
}
export interface ThinkingPart {
  type: 'thinking';
  text: string;
  redacted?: boolean;
  truncated?: Truncated;
}
export interface ImagePart {
  type: 'image';
  image: ImageRef;
}
/** A content block that we do not know, as JSON. */
export interface OtherPart {
  type: 'other';
  name: string;
  json: string;
  truncated?: Truncated;
}
export type ContentPart = TextPart | ThinkingPart | ImagePart | OtherPart;

export interface Usage {
  input: number | null;
  output: number | null;
  cacheRead: number | null;
  cacheWrite: number | null;
  /** USD */
  cost: number | null;
}

/** Facts of an assistant turn, on the first item that the turn gives. */
export interface Turn {
  model: string | null;
  provider: string | null;
  usage: Usage | null;
  stopReason: string | null;
  errorMessage: string | null;
  durationMs: number | null;
}

interface ItemBase {
  /** `<entryId>#<block>` */
  id: string;
  entryId: string;
  row: number;
  /** Epoch ms; null when unknown. */
  time: number | null;
}

export interface UserItem extends ItemBase {
  kind: 'user';
  parts: ContentPart[];
  /** developer and other prompt roles show their name. */
  role: string;
  /** A skill command: its name, location and text, apart from the prompt itself. */
  skill?: { name: string; location: string | null; text: string; truncated?: Truncated };
}
export interface AssistantItem extends ItemBase {
  kind: 'assistant';
  parts: ContentPart[];
  turn?: Turn;
}
export interface ToolOutcome {
  entryId: string;
  row: number;
  time: number | null;
  isError: boolean;
  parts: ContentPart[];
  /** The tool's own structured result, strings cut. */
  details?: unknown;
}
/** A call that code made which a tool ran. */
export interface SubCall {
  /** The entry that says most of it. */
  entryId: string;
  row: number;
  name: string;
  args: unknown;
  /** null: it was begun, and nothing says that it ended. */
  result: ToolOutcome | null;
  /** Epoch ms of its beginning. */
  begun: number | null;
}
/** What a log of events says of a call besides the call and its result. */
export interface CallLog {
  /** Epoch ms; null where no tool was begun. */
  begun: number | null;
  /** Whether somebody was asked, and what was decided; the outcome is null as long as nobody has. */
  approvals: { reason: string | null; outcome: string | null }[];
  subCalls: SubCall[];
}
export interface ToolCallItem extends ItemBase {
  kind: 'toolCall';
  callId: string;
  name: string;
  /** Arguments with long strings cut; null when the file has none. */
  args: unknown;
  /** Length of the longest argument text that was cut. */
  truncated?: Truncated;
  turn?: Turn;
  /** null: no result on this path. */
  result: ToolOutcome | null;
  /** In logs of events: how the call went. */
  log?: CallLog;
}
export interface ToolResultItem extends ItemBase {
  kind: 'toolResult';
  callId: string;
  name: string;
  result: ToolOutcome;
}
export interface BashItem extends ItemBase {
  kind: 'bash';
  /** bash or python */
  language: string;
  command: string;
  output: string;
  exitCode: number | null;
  cancelled: boolean;
  excluded: boolean;
  /** The agent itself cut the output. */
  cutByAgent: boolean;
  fullOutputPath: string | null;
  truncated?: Truncated;
}
export interface CustomItem extends ItemBase {
  kind: 'custom';
  customType: string;
  display: boolean;
  parts: ContentPart[];
  details?: unknown;
}
export interface SystemItem extends ItemBase {
  kind: 'system';
  /** Named parts in order; a null text removes the part. */
  sections: { name: string; text: string | null; truncated?: Truncated }[];
  toolsAdded: string[];
  toolsRemoved: string[];
}
export interface CompactionItem extends ItemBase {
  kind: 'compaction';
  summary: string;
  shortSummary: string | null;
  tokensBefore: number | null;
  tokensAfter: number | null;
  firstKeptEntryId: string | null;
  /** Pictures of the history that it keeps. */
  images?: ImageRef[];
  truncated?: Truncated;
}
export interface BranchSummaryItem extends ItemBase {
  kind: 'branchSummary';
  summary: string;
  fromId: string | null;
  truncated?: Truncated;
}
export interface SettingsItem extends ItemBase {
  kind: 'settings';
  setting: 'model' | 'thinking' | 'serviceTier' | 'mode' | 'tools' | 'rules' | 'credential' | 'init';
  /** The new value as text; null when it was cleared. */
  value: string | null;
  /** Which role a model is for, and the like. */
  role: string | null;
}
/** What a notice is about. From `turn` on: what logs of events say besides the talk. */
export const NOTICE_KINDS = [
  'label',
  'title',
  'reset',
  'leaf',
  'usage',
  'edit',
  'archive',
  'state',
  'turn',
  'turnEnd',
  'inherited',
  'resumed',
  'todos',
  'error',
  'prune',
  'command',
  'commandDone',
  'approvalAsked',
  'approval',
  'setting',
  'retry',
  'hook',
  'goal',
  'subagent',
  'subagentTask',
  'dispatch',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export interface NoticeItem extends ItemBase {
  kind: 'notice';
  notice: NoticeKind;
  /** The label, title or state name; null when it was cleared. */
  value: string | null;
  /** The entry that it is about. */
  targetId: string | null;
  /** Id of the session that it is about: a sub-agent's. */
  sessionId?: string;
  /** The log's own word for what happened, such as an outcome; `value` says the rest. */
  word?: string;
}
export interface UnknownItem extends ItemBase {
  kind: 'unknown';
  type: string;
  json: string;
  truncated?: Truncated;
}

export type TranscriptItem =
  | UserItem
  | AssistantItem
  | ToolCallItem
  | ToolResultItem
  | BashItem
  | CustomItem
  | SystemItem
  | CompactionItem
  | BranchSummaryItem
  | SettingsItem
  | NoticeItem
  | UnknownItem;
