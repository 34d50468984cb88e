/** Working directories and session ids that are hard on names. */
import type { Random } from '../random.ts';

const DIRECTORIES: readonly string[] = [
  '/',
  '//',
  '-',
  '/开发/~agent',
  '/a/b-c',
  '/a-b/c',
  '/a/-b',
  '/a/--b',
  '///a//b///',
  'C:\\work\\agent',
  'C:/work/agent',
  'c:\\Work',
  '\\\\server\\share\\p',
  '\\\\?\\C:\\x',
  '/home/u/my project',
  '/tmp/😀',
  '/a/.',
  '/a/..',
  '/a/.hidden',
  '/a/b.',
  '/a/b ',
  '/home/CON',
  '~',
  '/\u00e9',
  '/e\u0301',
  '/a%20b',
  '/a@b+c=d,e',
  `/${'x'.repeat(1000)}`,
  `/${'开'.repeat(60)}`,
  'relative/dir',
  '/tab\tand\nline',
  '/\ud800lone',
];

const IDS: readonly string[] = [
  'plain-ID_1.2',
  'a/b',
  '../x',
  '/etc/passwd',
  'a\0b',
  'a~b',
  '~002F',
  '名',
  '😀',
  '\ud800',
  '\udc00',
  '...',
  '.a',
  'a b',
  'C:x',
  'é',
  '-',
  '--x--',
];

/** Undefined now and then: a session without a directory. */
export function oddDirectory(random: Random): string | undefined {
  return random.chance(0.08) ? undefined : random.pick(DIRECTORIES);
}

/** An odd id that no other session of the run has; `n` is the session's number. */
export function oddId(random: Random, n: number): string {
  if (n < IDS.length) return IDS[n]!;
  return n % 2 === 0 ? `${random.pick(IDS)}${String(n)}` : `${String(n)}${random.pick(IDS)}`;
}
