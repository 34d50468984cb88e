import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCE = join(import.meta.dirname, '../src');

/** Every style sheet and component of the page: its path and its text. */
function sources(): [string, string][] {
  const paths = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => /\.(css|svelte)$/.test(path)).map((path) => [path, readFileSync(join(SOURCE, path), 'utf8')]);
}

const names = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '');

it('every custom property that is used is defined somewhere', () => {
  const all = sources();
  const defined = new Set(all.flatMap(([, text]) => names(text, /(?:^|[\s;{:])(--[\w-]+)\s*[:=]/g)));
  expect(defined).toContain('--ink');
  const undefinedUses = all.flatMap(([path, text]) =>
    names(text, /var\(\s*(--[\w-]+)/g)
      .filter((name) => !defined.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(undefinedUses).toEqual([]);
});
