import { contentFacts } from './content.ts';
import { asArray, asRecord, asString } from './read.ts';
import { defineEntry, itemBase } from './define-entry.ts';
import type { RawRecord } from './entry.ts';
import { setFlag } from './facts.ts';
import { clipJson, contentParts, ImageCounter } from './parts.ts';
import { eventView, type EventView } from './events.ts';
import { noticeItem } from './setting-item.ts';

/**
 * What happened besides the talk, as DeepSeek Harness logs it: where turns and steps begin and end, calls, approvals, retries,
 * plugins' own events. `event` is its name, `data` what it says, whole.
 */
export const event = defineEntry({
  type: 'event',
  category: 'annotation',
  neverSent: 'annotation',
  describe(entry, facts) {
    const name = asString(entry['event']) ?? '';
    const data = asRecord(entry['data']);
    const view = eventView(name);
    facts.name = name;
    facts.title = [view.word(data), view.text(data) ?? saidIn(entry)].filter(Boolean).join(' ') || name;
    facts.calls = view.calls(data);
    facts.stopReason = view.ends(data) ?? '';
    setFlag(facts, 'error', facts.stopReason === 'error');
    setFlag(facts, 'aborted', facts.stopReason === 'aborted');
    setFlag(facts, 'quiet', isQuiet(entry, view, data));
  },
  items(entry, place) {
    const name = asString(entry['event']) ?? '';
    const view = eventView(name);
    const data = asRecord(entry['data']);
    const pieces = asArray(entry['content']);
    if (pieces.length > 0 && view.call === null) {
      return [{ ...itemBase(place, 0), kind: 'assistant', parts: contentParts(withoutCalls(pieces), new ImageCounter()) }];
    }
    if (view.shows === 'nothing') return [];
    if (view.shows === 'json')
      return [{ ...itemBase(place, 0), kind: 'unknown', type: name, ...clipJson(entry['data'] ?? null) }];
    const text = view.text(data);
    if (text === null) return [];
    const sessionId = view.session(data);
    const word = view.word(data);
    return [
      {
        ...noticeItem(place, view.notice, text),
        ...(sessionId === null ? {} : { sessionId }),
        ...(word === null ? {} : { word }),
      },
    ];
  },
});

/** The first words of an answer that broke off. */
function saidIn(entry: RawRecord): string | null {
  if (!Array.isArray(entry['content'])) return null;
  const { firstText, firstThinking, callTitles } = contentFacts(entry['content']);
  return [firstText, firstThinking, callTitles[0] ?? ''].find((text) => text.trim() !== '') ?? null;
}

/** Will it be shown nowhere, or only with a call? */
function isQuiet(entry: RawRecord, view: EventView, data: RawRecord): boolean {
  if (view.call !== null) return true;
  if (asArray(entry['content']).length > 0 || view.shows === 'json') return false;
  return view.shows === 'nothing' || view.text(data) === null;
}

/** Calls of an answer that broke off were never made: they are shown as what they are, data. */
function withoutCalls(blocks: readonly unknown[]): unknown[] {
  return blocks.map((block) => {
    const raw: RawRecord = asRecord(block);
    return raw['type'] === 'toolCall' ? { ...raw, type: 'tool-call' } : raw;
  });
}
