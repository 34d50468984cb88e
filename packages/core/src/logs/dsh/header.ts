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
    id: idText(record['id']),
    ...(created === null ? {} : { timestamp: new Date(created).toISOString() }),
  };
}

function idText(id: unknown): string {
  if (typeof id === 'string') return id;
  return typeof id === 'number' || typeof id === 'boolean' ? String(id) : '';
}

/** From this format on a header has no other fields than these, and says whether it was begun with another session's events. */
const STRICT_FROM = 2;
const STRICT_KEYS: ReadonlySet<string> = new Set([
  'type',
  'version',
  'id',
  'createdAt',
  'cwd',
  'parentSession',
  'isSeeded',
  'origin',
  'delegationDepth',
  'agentPreset',
]);
const RETIRED = ['sandboxMode', 'approvalPolicy'];
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;

/** What its format does not allow in a header, by the names of the fields; empty for a good one. */
export function headerFaults(record: RawRecord): string[] {
  const { id, version, createdAt, delegationDepth, cwd, parentSession, seedLength, isSeeded, origin, agentPreset } = record;
  const isStrict = isCount(version) && version >= STRICT_FROM && version <= NEWEST_FORMAT;
  const isPlace = isText(cwd) && (!isStrict || ABSOLUTE.test(cwd));
  const faults = new Set<string>();
  if (!isText(id)) faults.add('id');
  if (!isCount(version)) faults.add('version');
  if (!isCount(createdAt)) faults.add('createdAt');
  if (!isCount(delegationDepth)) faults.add('delegationDepth');
  if (cwd !== undefined && !isPlace) faults.add('cwd');
  if (parentSession !== undefined && !isText(parentSession)) faults.add('parentSession');
  if (seedLength !== undefined && !isCount(seedLength)) faults.add('seedLength');
  if (origin !== undefined && origin !== 'subagent') faults.add('origin');
  if (agentPreset !== undefined && typeof agentPreset !== 'string') faults.add('agentPreset');
  for (const retired of RETIRED) if (retired in record) faults.add(retired);
  if (!isStrict) return [...faults];
  if (typeof isSeeded !== 'boolean') faults.add('isSeeded');
  for (const key of Object.keys(record)) if (!STRICT_KEYS.has(key)) faults.add(key);
  return [...faults];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** A whole number from 0 on, and not -0. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0);
}
