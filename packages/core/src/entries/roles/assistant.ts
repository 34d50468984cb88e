import type { AssistantItem, TranscriptItem, Turn } from '../../transcript/items.ts';
import { contentBlocks, contentFacts, IMAGE_CHARS } from '../content.ts';
import { itemBase, type ItemPlace } from '../define-entry.ts';
import type { RawRecord } from '../entry.ts';
import { readUsage, setFlag, type EntryFacts } from '../facts.ts';
import { blockPart, clip, clipStrings, ImageCounter, morePart, PART_LIMIT } from '../parts.ts';
import { asNumber, asRecord, asString } from '../read.ts';
import { defineRole } from './define-role.ts';

/** Stop reasons of a turn that said all it had to say; a turn without one is not finished yet, or from a client that writes none. */
const FINISHED: ReadonlySet<string> = new Set(['', 'stop', 'toolUse']);

/** A turn of the model. */
export const assistant = defineRole({
  role: 'assistant',
  describe(message: RawRecord, facts: EntryFacts): void {
    const content = contentFacts(message['content']);
    const provider = asString(message['provider']);
    const model = asString(message['model']);
    facts.stopReason = asString(message['stopReason']) ?? '';
    facts.model = provider !== null && model !== null ? `${provider}/${model}` : (model ?? '');
    facts.usage = readUsage(message['usage']);
    facts.responseId = asString(message['responseId']) ?? asString(message['id']) ?? '';
    facts.calls = content.callIds;
    facts.callTitles = content.callTitles;
    facts.chars = content.chars;
    facts.callChars = content.callChars;
    facts.imageChars = content.images * IMAGE_CHARS;
    facts.title = title(content, message);
    setFlag(facts, 'hasOwnContent', content.ownContent);
    setFlag(facts, 'hasToolCalls', content.callIds.length > 0);
    setFlag(facts, 'hasText', content.firstText.trim() !== '');
    setFlag(facts, 'hasImages', content.images > 0);
    setFlag(facts, 'nullContent', content.missing);
    setFlag(facts, 'error', facts.stopReason === 'error');
    setFlag(facts, 'emptyTurn', facts.stopReason === 'error' && !content.saysSomething);
    setFlag(facts, 'aborted', facts.stopReason === 'aborted');
    setFlag(facts, 'unfinished', !FINISHED.has(facts.stopReason));
    setFlag(facts, 'retryRecovery', Boolean(message['retryRecovery']));
  },
  items(message: RawRecord, place: ItemPlace): TranscriptItem[] {
    const items: TranscriptItem[] = [];
    const images = new ImageCounter();
    let open: AssistantItem | null = null;
    const blocks = contentBlocks(message['content']);
    for (const [i, raw] of blocks.entries()) {
      if (items.length + (open?.parts.length ?? 0) >= PART_LIMIT) {
        items.push({
          ...itemBase(place, items.length),
          kind: 'assistant',
          parts: [morePart(blocks.length - i, blocks.slice(i))],
        });
        break;
      }
      const block = asRecord(raw);
      if (block['type'] === 'toolCall') {
        open = null;
        items.push(toolCallItem(block, place, items.length));
        continue;
      }
      const part = blockPart(block, images);
      if (part === null) continue;
      if (open === null) {
        open = { ...itemBase(place, items.length), kind: 'assistant', parts: [] };
        items.push(open);
      }
      open.parts.push(part);
    }
    if (items.length === 0) items.push({ ...itemBase(place, 0), kind: 'assistant', parts: [] });
    const first = items[0]!;
    if (first.kind === 'assistant' || first.kind === 'toolCall') first.turn = turnOf(message);
    return items;
  },
});

function title(content: ReturnType<typeof contentFacts>, message: RawRecord): string {
  if (content.firstText.trim() !== '') return content.firstText;
  return content.callTitles[0] ?? asString(message['errorMessage']) ?? content.firstThinking;
}

function toolCallItem(block: RawRecord, place: ItemPlace, index: number): TranscriptItem {
  const callId = asString(block['id']) ?? '';
  const { value: args, longest } = clipStrings(block['arguments'] ?? null);
  const log = place.logOf(callId);
  return {
    ...itemBase(place, index),
    kind: 'toolCall',
    callId,
    name: asString(block['name']) ?? '',
    args,
    ...(longest > 0 ? { truncated: { bytes: longest } } : {}),
    result: place.resultOf(callId),
    ...(log === null ? {} : { log }),
  };
}

function turnOf(message: RawRecord): Turn {
  const error = asString(message['errorMessage']);
  return {
    model: asString(message['model']),
    provider: asString(message['provider']),
    usage: readUsage(message['usage']),
    stopReason: asString(message['stopReason']),
    errorMessage: error === null ? null : clip(error).text,
    durationMs: asNumber(message['duration']),
  };
}
