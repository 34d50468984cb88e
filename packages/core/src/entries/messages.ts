/**
 * Messages as the agents store them. Fields that no rule of ours reads are left to the index signature: they are
 * kept and shown as they are.
 */
export interface TextContent {
  type: 'text';
  text: string;
  textSignature?: string;
}
export interface ThinkingContent {
  type: 'thinking';
  thinking: string;
  thinkingSignature?: string;
}
export interface RedactedThinkingContent {
  type: 'redactedThinking';
  data: string;
}
export interface ImageContent {
  type: 'image';
  data: string;
  mimeType: string;
}
export interface ToolCallContent {
  type: 'toolCall';
  id: string;
  name: string;
  arguments: Record<string, unknown>;
}
export type ContentBlock =
  | TextContent
  | ThinkingContent
  | RedactedThinkingContent
  | ImageContent
  | ToolCallContent
  | { type: string; [key: string]: unknown };

export interface AgentMessage {
  role: string;
  /** Text or blocks; null in old and foreign files. */
  content?: string | ContentBlock[] | null;
  /** Epoch ms. */
  timestamp?: number;
  [key: string]: unknown;
}
