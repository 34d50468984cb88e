import path from 'node:path';

/** A folder for display, with the home folder written as `~`. */
export function withTilde(folder: string | null, home: string): string | null {
  if (folder === null || home === '' || home === path.parse(home).root) return folder;
  if (folder === home) return '~';
  const below = folder.startsWith(home) && /^[\\/]/.test(folder.slice(home.length));
  return below ? `~${folder.slice(home.length)}` : folder;
}

/** Text as it is searched: compatible forms joined (NFKC), case folded. */
export function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** The words of a query, folded; all of them must occur. */
export function wordsOf(query: string | undefined): string[] {
  return folded(query ?? '')
    .split(/\s+/u)
    .filter((word) => word !== '');
}
