/**
 * Names in a root of project directories: `<root>/<project key>/<session segment>/session[.vN].jsonl[.zstd]`. Pure; paths
 * and ids are taken as they are written, UTF-16 unit by unit.
 */

/** The folder of sessions without a working directory. */
export const NO_CWD = '_no-cwd';

/** File systems take names of so many bytes. All names here are ASCII. */
const MAX_NAME = 255;
const WRAP = '--';
const ZSTD = '.zstd';

const SEPARATOR = /[/\\:]/;
const SAFE = /[A-Za-z0-9._-]/;
/** Windows takes these for devices, whatever follows their first dot. */
const DEVICE = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;
/** Stands between the beginning and the hash of a name that is too long. No escape begins with two tildes. */
const HASH_MARK = '~~';
const HASH_DIGITS = 64;

/**
 * The folder for the sessions of a working directory: 255 characters at most. Different directories may share one.
 * @param cwd as the session's header has it; undefined where it has none
 * @returns null for an empty path, which is the directory of nobody
 */
export function projectKey(cwd: string | undefined): string | null {
  if (cwd === undefined) return NO_CWD;
  if (cwd === '') return null;
  let key = '';
  let inRun = false;
  for (let i = 0; i < cwd.length; i++) {
    const unit = cwd[i]!;
    const isSeparator = SEPARATOR.test(unit);
    if (!isSeparator) key += spelled(unit);
    else if (!inRun) key += '-';
    inRun = isSeparator;
  }
  const bare = key.replace(/^-+/, '') || 'root';
  return WRAP + bare.slice(0, MAX_NAME - 2 * WRAP.length) + WRAP;
}

/** The folder of a session by the rule of DeepSeek Harness, which knows no care for length, devices or a dot at the end. */
export function plainSegment(id: string): string {
  if (id === '.' || id === '..') return spelledAll(id);
  let segment = '';
  for (let i = 0; i < id.length; i++) segment += spelled(id[i]!);
  return segment;
}

/**
 * The folder of a session: as `plainSegment`, but a name that every file system takes. The first unit of a device's name
 * and a dot at the end are escaped, too; of a name that is too long its beginning stays, and its hash.
 * @param id not empty  @param sha256 in hex, of an ASCII text
 */
export function sessionSegment(id: string, sha256: (text: string) => string): string {
  const plain = plainSegment(id);
  return fitting(isRefused(plain) ? escapeEnds(plain) : plain, sha256);
}

/**
 * Another folder for a session, for a disk that does not tell upper from lower case and has a session of the other
 * spelling already: every letter is escaped.
 */
export function foldedSegment(id: string, sha256: (text: string) => string): string {
  let segment = '';
  for (let i = 0; i < id.length; i++) segment += /[A-Za-z]/.test(id[i]!) ? escaped(id[i]!) : spelled(id[i]!);
  return fitting(isRefused(segment) ? escapeEnds(segment) : segment, sha256);
}

/** All folders in which a session may lie, the usual one first. */
export function segmentsOf(id: string, sha256: (text: string) => string): string[] {
  const names = [sessionSegment(id, sha256), plainSegment(id), foldedSegment(id, sha256)];
  return [...new Set(names)].filter((name) => name !== '' && name.length <= MAX_NAME);
}

/** The id that a folder is named after. Null where the name has only its hash, or is none of ours. */
export function idOfSegment(segment: string): string | null {
  if (!/^(?:[A-Za-z0-9._-]|~[0-9A-F]{4})+$/.test(segment) || segment === '.' || segment === '..') return null;
  return segment.replace(/~([0-9A-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Could a folder's name be that of a project? */
export function isProjectKey(name: string): boolean {
  return name === NO_CWD || /^--[A-Za-z0-9._~-]+--$/.test(name);
}

export type LogEncoding = 'raw' | 'zstd';

/** What the name of a session's log tells. */
export interface LogName {
  /** 0 where the name has none. */
  version: number;
  encoding: LogEncoding;
}

/** Null for names that are no log's: those of other files, and versions that are not written as numbers are. */
export function logName(name: string): LogName | null {
  const match = /^session(?:\.v([1-9][0-9]*))?\.jsonl(\.zstd)?$/.exec(name);
  if (match === null) return null;
  const version = Number(match[1] ?? 0);
  return Number.isSafeInteger(version) ? { version, encoding: match[2] === undefined ? 'raw' : 'zstd' } : null;
}

/** The file that says of a log: it counts only as long as there is none in the other encoding. */
export function supersededMark(log: string): string {
  return `.${log}.superseded`;
}

/** The name of the same log in the other encoding. */
export function otherEncoding(log: string): string {
  return log.endsWith(ZSTD) ? log.slice(0, -ZSTD.length) : log + ZSTD;
}

/** Of the names in a session's directory those of its log: of the highest version, one or both encodings. */
export function logsAmong(names: Iterable<string>): string[] {
  const all = new Set(names);
  let best: string[] = [];
  let highest = -1;
  for (const name of all) {
    const version = logName(name)?.version ?? -1;
    if (version > highest) best = [];
    if (version >= 0 && version >= highest) best.push(name);
    highest = Math.max(highest, version);
  }
  const inForce = best.filter((name) => !all.has(supersededMark(name)));
  return (inForce.length > 0 ? inForce : best).sort();
}

/** The name of a log that we write. */
export function logFileName(encoding: LogEncoding): string {
  return encoding === 'zstd' ? 'session.jsonl.zstd' : 'session.jsonl';
}

function spelled(unit: string): string {
  return SAFE.test(unit) ? unit : escaped(unit);
}

function spelledAll(text: string): string {
  return [...text].map(escaped).join('');
}

function escaped(unit: string): string {
  return `~${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function isRefused(segment: string): boolean {
  return segment.endsWith('.') || DEVICE.test(segment);
}

/** Escapes what a file system would refuse or drop. The name still decodes to the same id. */
function escapeEnds(segment: string): string {
  const end = segment.endsWith('.') ? segment.slice(0, -1) + escaped('.') : segment;
  return DEVICE.test(end) ? escaped(end[0]!) + end.slice(1) : end;
}

function fitting(segment: string, sha256: (text: string) => string): string {
  if (segment.length <= MAX_NAME) return segment;
  // Half an escape at the cut is no harm: the name is not decoded.
  return segment.slice(0, MAX_NAME - HASH_MARK.length - HASH_DIGITS) + HASH_MARK + sha256(segment);
}
