import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ENTRY_TYPES } from '@stemma/core';
import { describe, expect, it } from 'vitest';

import { HELP } from '../src/options.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const read = (page: string) => readFileSync(path.join(ROOT, page), 'utf8');
const list = (folder: string, ending: string) =>
  readdirSync(path.join(ROOT, folder), { withFileTypes: true })
    .filter((item) => item.isFile() && item.name.endsWith(ending))
    .map((item) => `${folder}/${item.name}`);

const PAGES = [
  ...list('.', '.md').map((page) => page.slice(2)),
  ...list('docs/decisions', '.md'),
  ...list('docs/formats', '.md'),
];

describe('the pages of the project', () => {
  it.each(PAGES)('%s links only to what exists', (page) => {
    const targets = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => match[1] ?? '');
    expect(targets.filter((target) => !existsSync(path.join(ROOT, path.dirname(page), target)))).toEqual([]);
  });

  it('describe every entry type that is read', () => {
    const formats = list('docs/formats', '.md').map(read).join('\n');
    expect(ENTRY_TYPES.filter((type) => !formats.includes(`| \`${type}\` |`))).toEqual([]);
  });

  it('name in ARCHITECTURE.md only folders and files that exist', () => {
    const page = read('ARCHITECTURE.md');
    const named = [...page.matchAll(/`((?:core|api|web|cli)\/[\w./-]+|(?:apps|packages|docs)\/[\w./-]+)`/g)].map(
      (match) => match[1] ?? '',
    );
    const places = named.map((name) => name.replace(/^core\//, 'packages/core/').replace(/^(api|web|cli)\//, 'apps/$1/'));
    expect(places.length).toBeGreaterThan(20);
    expect(places.filter((place) => !existsSync(path.join(ROOT, place)))).toEqual([]);
  });

  it('keep ARCHITECTURE.md short', () => {
    expect(read('ARCHITECTURE.md').split('\n').length).toBeLessThanOrEqual(150);
  });

  it('show in the README only options that --help knows', () => {
    const options = [...read('README.md').matchAll(/--[a-z-]{3,}/g)].map(([option]) => option);
    expect(options.length).toBeGreaterThan(4);
    expect(options.filter((option) => !HELP.includes(option))).toEqual([]);
  });
});
