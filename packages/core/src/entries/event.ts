import { asArray, asRecord, asString } from './read.ts';
import { defineEntry, itemBase } from './define-entry.ts';
import type { RawRecord } from './entry.ts';
import { setFlag } from './facts.ts';
import { clipJson, contentParts, ImageCounter } from './parts.ts';
import { eventView } from './events.ts';
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
    facts.title = view.text(data) ?? name;
    facts.stopReason = view.ends(data) ?? '';
    setFlag(facts, 'error', facts.stopReason === 'error');
    setFlag(facts, 'aborted', facts.stopReason === 'aborted');
  },
  items(entry, place) {
    const name = asString(entry['event']) ?? '';
    const view = eventView(name);
    const data = asRecord(entry['data']);
    const pieces = asArray(entry['content']);
    if (pieces.length > 0) {
      return [{ ...itemBase(place, 0), kind: 'assistant', parts: contentParts(withoutCalls(pieces), new ImageCounter()) }];
    }
    if (view.shows === 'nothing') return [];
    if (view.shows === 'json')
      return [{ ...itemBase(place, 0), kind: 'unknown', type: name, ...clipJson(entry['data'] ?? null) }];
    const text = view.text(data);
    if (text === null) return [];
    const item = noticeItem(place, view.notice, text);
    const sessionId = view.session(data);
    return [sessionId === null ? item : { ...item, sessionId }];
  },
});

/** Calls of an answer that broke off were never made: they are shown as what they are, data. */
function withoutCalls(blocks: readonly unknown[]): unknown[] {
  return blocks.map((block) => {
    const raw: RawRecord = asRecord(block);
    return raw['type'] === 'toolCall' ? { ...raw, type: 'tool-call' } : raw;
  });
}
