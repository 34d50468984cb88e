import { describe, expect, it } from 'vitest';

import { withTilde, wordsOf } from '../src/library/display.ts';

describe('withTilde', () => {
  it.each([
    ['/home/u/work', '~/work'],
    ['/home/u', '~'],
    ['/home/user2/work', '/home/user2/work'],
    ['/srv', '/srv'],
    [null, null],
  ])('%j → %j', (folder, shown) => {
    expect(withTilde(folder, '/home/u')).toBe(shown);
  });

  it('does not call everything home when home is the root folder or unknown', () => {
    expect(withTilde('/srv', '/')).toBe('/srv');
    expect(withTilde('/srv', '')).toBe('/srv');
  });
});

describe('wordsOf', () => {
  it('splits at any white space, folds case and width', () => {
    expect(wordsOf('  Fix\tＬＯＧＩＮ　页面\n')).toEqual(['fix', 'login', '页面']);
    expect(wordsOf(undefined)).toEqual([]);
  });
});
