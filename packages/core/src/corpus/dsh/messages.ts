/** Messages in the spelling of each form. */
import { hex32 } from '../base/random.ts';
import { sha256Hex } from '../base/sha256.ts';
import type { DshForm } from './options.ts';

/** What a person typed, what was put in for the model, or a note of a helper. */
export type Speaker = 'user' | 'runtime-context' | 'compact-checkpoint' | 'subagent-report';

const PLUGINS: Record<string, object> = {
  'runtime-context': { plugin: '@deepseek-ai/dsh-system-prompt', form: 'snapshot' },
  'compact-checkpoint': { plugin: 'compact' },
};

/** Data of a `user/message`: texts and blocks as they are. `extra` goes into its source. */
export function userMessage(
  form: DshForm,
  id: string,
  by: Speaker,
  content: readonly (string | object)[],
  extra: object = {},
): object {
  const plugin = form === 4 ? undefined : PLUGINS[by];
  const source = plugin === undefined ? { kind: by, ...extra } : { kind: 'plugin', ...plugin, ...extra };
  const blocks = content.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part));
  return { content: blocks, source, role: 'user', id };
}

/** A block that shows a PNG of the attachment store, where it lies by the hash of its bytes. */
export function imageBlock(bytes: Uint8Array, name: string): { block: object; hash: string } {
  const hash = sha256Hex(bytes);
  const size = new DataView(bytes.buffer, bytes.byteOffset);
  const [width, height] = [size.getUint32(16), size.getUint32(20)];
  const attachment = { attachmentId: `sha256:${hash}`, mediaType: 'image/png', bytes: bytes.length, width, height, name };
  return { block: { type: 'image', attachment }, hash };
}

export interface ToolOutcome {
  callId: string;
  content: readonly object[];
  isError: boolean;
  error?: { name: string; code: string };
  meta?: object;
}

/** Data of a `tool/result`. */
export interface ToolResultData {
  message: { content: readonly object[] };
}

/** Data of a `tool/result`: until form 3 a user message with one block, then a message of role `tool`. */
export function toolResult(form: DshForm, at: { turn: number; step: number }, id: string, outcome: ToolOutcome): ToolResultData {
  const { callId, content, isError, error, meta } = outcome;
  const source = { kind: 'tool', callId };
  const block = { type: 'tool-result', toolCallId: callId, content, isError };
  const message =
    form === 4
      ? { source, toolCallId: callId, content, ...(isError ? { isError } : {}), role: 'tool', id }
      : { source, content: [block], role: 'user', id };
  return { ...at, message, ...(error === undefined ? {} : { error }), ...(meta === undefined ? {} : { meta }) };
}

/** The same result with other content: nothing else of it may change. */
export function withContent(form: DshForm, data: ToolResultData, content: readonly object[]): ToolResultData {
  const { message } = data;
  const changed = form === 4 ? content : [{ ...message.content[0], content }];
  return { ...data, message: { ...message, content: changed } };
}

/** An id that looks like the harness's: a random UUID. `next` gives 32 random bits. */
export function uuidV4(next: () => number): string {
  const hex = [next(), next(), next(), next()].map((n) => hex32(n >>> 0)).join('');
  const variant = '89ab'[Number.parseInt(hex[16] as string, 16) & 3] as string;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
