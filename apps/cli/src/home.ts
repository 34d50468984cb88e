import path from 'node:path';

/** `~` and `~/…` with the home folder put in; a shell does not do it after `=` or inside a variable. */
export function expandHome(given: string, home: string): string {
  if (home === '') return given;
  if (given === '~') return home;
  return given.startsWith('~/') || given.startsWith('~\\') ? path.join(home, given.slice(2)) : given;
}
