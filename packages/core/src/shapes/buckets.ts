/** Names of the folders that agents make for a working directory. Pure: the platform's facts are arguments. */

export interface PathFacts {
  home: string;
  /** The folder for temporary files. */
  temp: string;
  /** `\` separates too, drive letters exist, and case does not tell folders apart. */
  windows: boolean;
}

const SEPARATORS = /[/\\:]/g;

function dashed(path: string): string {
  return path.replace(SEPARATORS, '-');
}

/** `--<cwd>--` with one leading separator gone and every separator and colon a dash. Nothing is escaped: it cannot be decoded. */
export function absoluteBucket(cwd: string): string {
  return `--${dashed(cwd.replace(/^[/\\]/, ''))}--`;
}

/**
 * MusePi and oh-my-pi: relative to the home folder (`-src-app`), to the folder for temporary files (`-tmp-x`), else
 * absolute. All paths must be absolute and canonical.
 */
export function homeBucket(cwd: string, facts: PathFacts): string {
  const inHome = relativeInside(cwd, facts.home, facts.windows);
  if (inHome !== null) return `-${dashed(inHome)}`;
  const inTemp = relativeInside(cwd, facts.temp, facts.windows);
  if (inTemp !== null) return inTemp === '' ? '-tmp' : `-tmp-${dashed(inTemp)}`;
  return absoluteBucket(cwd);
}

/** The path below `base`, empty for `base` itself, null when it is not inside. `/home/ann2` is not inside `/home/ann`. */
function relativeInside(path: string, base: string, windows: boolean): string | null {
  const fold = (text: string): string => (windows ? text.replaceAll('/', '\\').toLowerCase() : text);
  const separator = windows ? '\\' : '/';
  const inner = fold(path);
  const trimmed = base.replace(/[/\\]+$/, '');
  const outer = fold(trimmed);
  if (inner === outer) return '';
  // A name that begins with two dots counts as outside, as it does for the agents.
  const inside = inner.startsWith(outer + separator) && !inner.startsWith('..', outer.length + 1);
  // Lower case may be longer than upper case: cut by the base as it is written.
  return inside ? path.slice(trimmed.length + 1) : null;
}

/** Do two working directories name the same folder, as far as their texts tell? */
export function samePath(a: string, b: string, windows: boolean): boolean {
  const fold = (text: string): string => {
    const trimmed = text.length > 1 ? text.replace(/[/\\]+$/, '') : text;
    return windows ? trimmed.replaceAll('/', '\\').toLowerCase() : trimmed;
  };
  return fold(a) === fold(b);
}
