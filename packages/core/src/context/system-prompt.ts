import type { RawRecord } from '../entries/entry.ts';
import { asArray, asRecord, asString } from '../entries/read.ts';
import { system, systemPatch } from '../entries/roles/system.ts';
import { sessionInit } from '../entries/session-init.ts';
import type { Outline } from '../outline/outline.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { emissionRole } from './estimates.ts';
import { modelContext, type LoadEntries } from './view.ts';

/** The system prompt and the tools as they stand at some entry. */
export interface SystemPrompt {
  /** In the order in which they are sent; texts without a name come first. */
  sections: { name: string; text: string; fromEntryId: string }[];
  tools: { name: string; description?: string; fromEntryId: string }[];
}

/**
 * Replays what the session says of its system prompt up to `leafRow`: system messages patch each other, a compaction
 * starts from the one that it carries. Sub-sessions say it once, when they are set up. null where the file says nothing.
 *
 * @param load answers bodies; only those of system messages are asked for.
 */
export async function systemPromptAt(
  outline: Outline,
  leafRow: number,
  shapes: Shapes,
  load: LoadEntries,
): Promise<SystemPrompt | null> {
  const { path, emissions } = modelContext(outline, leafRow, shapes);
  const stated = emissions.filter((emission) => emissionRole(outline, emission) === system.role);
  if (stated.length > 0) {
    const bodies = await load(stated.map((emission) => emission.row));
    const messages = stated.map(({ row, kind }, i) => {
      const body = asRecord(bodies[i]);
      return { id: outline.id(row), message: asRecord(body[kind === 'systemCheckpoint' ? 'systemMessage' : 'message']) };
    });
    return replay(messages);
  }
  const init = path.findLast((row) => outline.type(row) === sessionInit.type);
  if (init === undefined) return null;
  const [body] = await load([init]);
  return fromInit(asRecord(body), outline.id(init));
}

function replay(messages: readonly { id: string; message: RawRecord }[]): SystemPrompt {
  const texts: SystemPrompt['sections'] = [];
  const sections = new Map<string, SystemPrompt['sections'][number]>();
  const tools = new Map<string, SystemPrompt['tools'][number]>();
  for (const { id, message } of messages) {
    const patch = systemPatch(message);
    if (patch.text !== '') texts.push({ name: '', text: patch.text, fromEntryId: id });
    for (const { name, text } of patch.sections) {
      // A section keeps its place when it changes, and loses it when it goes.
      if (text === null) sections.delete(name);
      else sections.set(name, { name, text, fromEntryId: id });
    }
    for (const name of patch.toolsRemoved) tools.delete(name);
    for (const { name, description } of patch.toolsAdded) {
      tools.set(name, { name, ...(description === null ? {} : { description }), fromEntryId: id });
    }
  }
  return { sections: [...texts, ...sections.values()], tools: [...tools.values()] };
}

/** The prompt of a sub-session is one text, or several in order. */
function fromInit({ systemPrompt, tools }: RawRecord, id: string): SystemPrompt {
  const texts = typeof systemPrompt === 'string' ? [systemPrompt] : asArray(systemPrompt).map((text) => asString(text) ?? '');
  const names = asArray(tools).map((tool) => asString(tool) ?? '');
  return {
    sections: texts.filter((text) => text !== '').map((text) => ({ name: '', text, fromEntryId: id })),
    tools: names.filter((name) => name !== '').map((name) => ({ name, fromEntryId: id })),
  };
}
