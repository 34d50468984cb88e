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

/** A working directory as it was named (absolute), and without links. */
export interface FolderNames {
  resolved: string;
  canonical: string;
}

/** A folder name that an earlier version gave. exact: no other working directory has it. */
export interface LegacyBucket {
  name: string;
  exact: boolean;
}

/** Names that buckets had before. */
export interface LegacyBuckets {
  /** @param facts without links  @param sha256 in hex, of the text as UTF-8 */
  names(folder: FolderNames, facts: PathFacts, sha256: (text: string) => string): LegacyBucket[];
  /**
   * What a bucket of any working directory may be called today; null for one that has the name of today. It need not be
   * so: the sessions in it know.
   *
   * @param homes the home folder, under every name
   */
  today(name: string, homes: readonly string[]): string | null;
}

/** Versions 17.2.5 to 17.2.8 wrote hashed names; before there were names relative to the home folder, all were absolute. */
export const homeLegacy: LegacyBuckets = {
  names(folder, facts, sha256) {
    const names = [
      { name: hashedBucket(folder.canonical, facts, sha256), exact: true },
      { name: absoluteBucket(folder.resolved), exact: false },
      { name: absoluteBucket(folder.canonical), exact: false },
    ];
    const today = homeBucket(folder.canonical, facts);
    return names.filter(({ name }, i) => name !== today && names.findIndex((other) => other.name === name) === i);
  },
  today(name, homes) {
    for (const home of homes) {
      const absolute = absoluteBucket(home);
      if (name === absolute) return '-';
      const inside = `${absolute.slice(0, -2)}-`;
      if (name.startsWith(inside) && name.endsWith('--') && name.length > inside.length + 2)
        return `-${name.slice(inside.length, -2)}`;
    }
    return null;
  },
};

/** `<scope>-<readable>-<sha256>`, as it was for a short time. */
function hashedBucket(canonical: string, facts: PathFacts, sha256: (text: string) => string): string {
  const isInside = (base: string): boolean => relativeInside(canonical, base, facts.windows) !== null;
  const scope = isInside(facts.home) ? 'home' : isInside(facts.temp) ? 'tmp' : 'abs';
  const name =
    canonical
      .replace(/[/\\]+$/, '')
      .split(facts.windows ? /[/\\]/ : '/')
      .at(-1) ?? '';
  const readable = name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(-80);
  return `${scope}-${readable || 'project'}-${sha256(canonical.replaceAll('\\', '/'))}`;
}
