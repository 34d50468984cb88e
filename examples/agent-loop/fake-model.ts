/** Stands for a provider: looks at the files once for each prompt, then says how many there are. */
import type { AgentMessage, ContentBlock, ToolCallContent } from '@stemma/core';

/** @param messages what the model gets, the newest last */
export async function fakeModel(messages: readonly AgentMessage[]): Promise<AgentMessage> {
  const last = messages.at(-1);
  if (last?.role !== 'toolResult') {
    const id = `call-${String(messages.length)}`;
    return assistant([{ type: 'toolCall', id, name: 'list_files', arguments: { path: '.' } }], 'toolUse');
  }
  const files = textOf(last).split('\n').filter(Boolean);
  const prompts = messages.filter(({ role }) => role === 'user').length;
  return assistant([{ type: 'text', text: `${String(files.length)} files. You have asked ${String(prompts)} times.` }], 'stop');
}

function assistant(content: ContentBlock[], stopReason: string): AgentMessage {
  const usage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, totalTokens: 120 };
  return { role: 'assistant', content, api: 'fake', provider: 'fake', model: 'fake-1', usage, stopReason, timestamp: Date.now() };
}

/** The tools that an answer wants to be run. */
export const callsOf = (message: AgentMessage): ToolCallContent[] =>
  blocksOf(message).filter((block): block is ToolCallContent => block.type === 'toolCall');

/** The texts of a message, one below the other. */
export const textOf = (message: AgentMessage): string =>
  blocksOf(message)
    .flatMap((block) => (block.type === 'text' ? [String((block as { text: unknown }).text)] : []))
    .join('\n');

const blocksOf = ({ content }: AgentMessage): ContentBlock[] => (Array.isArray(content) ? content : []);
