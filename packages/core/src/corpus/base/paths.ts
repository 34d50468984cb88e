/** Where the agents put the file of a session. */
import type { CorpusShape } from '../options.ts';

/**
 * The folder name of a working directory (POSIX paths, symlinks not followed).
 * Pi: `--` + the path with separators as dashes + `--`. MusePi: relative to the home directory `-rel`, relative to
 * `/tmp` `-tmp-rel`, else as Pi does.
 */
export function bucketName(shape: CorpusShape, cwd: string, home: string): string {
  if (shape === 'musepi') {
    const inHome = relativeTo(home, cwd);
    if (inHome !== null) return `-${dashes(inHome)}`;
    const inTemp = relativeTo('/tmp', cwd);
    if (inTemp !== null) return inTemp === '' ? '-tmp' : `-tmp-${dashes(inTemp)}`;
  }
  return `--${dashes(cwd.replace(/^[/\\]/, ''))}--`;
}

/** `<timestamp with dashes>_<session id>.jsonl`. `time` in epoch ms. */
export function sessionFileName(time: number, id: string): string {
  return `${new Date(time).toISOString().replace(/[:.]/g, '-')}_${id}.jsonl`;
}

function relativeTo(base: string, path: string): string | null {
  if (path === base) return '';
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : null;
}

function dashes(path: string): string {
  return path.replace(/[/\\:]/g, '-');
}
