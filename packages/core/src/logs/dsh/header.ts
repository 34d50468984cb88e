import type { RawRecord, SessionHeader } from '../../entries/entry.ts';
import { asEpoch } from '../../entries/read.ts';

/** The newest format of DeepSeek Harness that we know. */
export const NEWEST_FORMAT = 4;

/** A header of DeepSeek Harness: it counts its time in ms, where others write it out. */
export function isHarnessHeader(record: RawRecord): boolean {
  if (record['type'] !== 'session' || typeof record['timestamp'] === 'string') return false;
  return record['createdAt'] !== undefined || record['delegationDepth'] !== undefined;
}

/** An event of a log whose header is lost. */
export function isHarnessEvent(record: RawRecord): boolean {
  return typeof record['type'] === 'string' && typeof record['seq'] === 'number' && 'data' in record && !('parentId' in record);
}

/** The header as every session has one, with all that it said besides. */
export function harnessHeader(record: RawRecord): SessionHeader {
  const created = asEpoch(record['createdAt']);
  const { type: _type, version, ...rest } = record;
  return {
    type: 'session',
    ...(typeof version === 'number' ? { version } : {}),
    ...rest,
    id: String(record['id']),
    ...(created === null ? {} : { timestamp: new Date(created).toISOString() }),
  };
}

/** What the format does not allow in a header, by the names of the fields; empty for a good one. */
export function headerFaults(record: RawRecord): string[] {
  const faults: string[] = [];
  const { id, version, createdAt, delegationDepth, cwd, parentSession, seedLength } = record;
  if (typeof id !== 'string' || id === '') faults.push('id');
  if (!isCount(version)) faults.push('version');
  if (!isCount(createdAt)) faults.push('createdAt');
  if (!isCount(delegationDepth)) faults.push('delegationDepth');
  if (cwd !== undefined && (typeof cwd !== 'string' || cwd === '')) faults.push('cwd');
  if (parentSession !== undefined && typeof parentSession !== 'string') faults.push('parentSession');
  if (seedLength !== undefined && !isCount(seedLength)) faults.push('seedLength');
  for (const retired of ['sandboxMode', 'approvalPolicy']) if (retired in record) faults.push(retired);
  return faults;
}

/** A whole number from 0 on, and not -0. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0);
}
