import type { CallLog, SubCall } from '../transcript/items.ts';
import type { ItemPlace } from './define-entry.ts';
import type { RawRecord } from './entry.ts';
import { eventView } from './events.ts';
import { clipStrings, contentParts, ImageCounter } from './parts.ts';
import { asArray, asRecord, asString, parsedJson } from './read.ts';

/** An event that says something of a call, and where it stands. */
export interface CallEvent {
  entry: RawRecord;
  place: Pick<ItemPlace, 'entryId' | 'row' | 'time'>;
}

/** How a call went, from the events that are about it, in order. */
export function callLog(events: readonly CallEvent[]): CallLog {
  const log: CallLog = { begun: null, approvals: [], subCalls: [] };
  const asked = new Map<string, CallLog['approvals'][number]>();
  const subCalls = new Map<string, SubCall>();
  for (const { entry, place } of events) {
    const data = asRecord(entry['data']);
    switch (eventView(asString(entry['event']) ?? '').call) {
      case 'begun':
        log.begun ??= place.time;
        break;
      case 'asked': {
        const approval = { reason: asString(data['reason']), outcome: null };
        asked.set(asString(data['id']) ?? '', approval);
        log.approvals.push(approval);
        break;
      }
      case 'decided': {
        const approval = asked.get(asString(data['id']) ?? '');
        if (approval !== undefined) approval.outcome = asString(data['outcome']) ?? '';
        break;
      }
      case 'subBegun':
      case 'subEnded': {
        const id = asString(data['subCallId']) ?? place.entryId;
        const made = subCall(entry, data, place);
        const known = subCalls.get(id);
        if (known === undefined) log.subCalls.push(made);
        else Object.assign(known, { ...made, begun: known.begun ?? made.begun });
        subCalls.set(id, known ?? made);
      }
    }
  }
  return log;
}

function subCall(entry: RawRecord, data: RawRecord, place: CallEvent['place']): SubCall {
  const { entryId, row, time } = place;
  const args = data['arguments'];
  const hasEnded = eventView(asString(entry['event']) ?? '').call === 'subEnded';
  return {
    entryId,
    row,
    name: asString(data['name']) ?? '',
    args: clipStrings(typeof args === 'string' ? (parsedJson(args) ?? args) : (args ?? null)).value,
    result: hasEnded
      ? {
          entryId,
          row,
          time,
          isError: data['isError'] === true,
          parts: contentParts(asArray(entry['content']), new ImageCounter()),
        }
      : null,
    begun: hasEnded ? null : time,
  };
}
