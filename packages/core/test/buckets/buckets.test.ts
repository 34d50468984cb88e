import { describe, expect, it } from 'vitest';

import { absoluteBucket, homeBucket, samePath, type PathFacts } from '../../src/pure.ts';

const linux: PathFacts = { home: '/home/ann', temp: '/tmp', windows: false };
const mac: PathFacts = { home: '/Users/ann', temp: '/private/var/folders/zz/T', windows: false };
const windows: PathFacts = { home: 'C:\\Users\\ann', temp: 'C:\\Users\\ann\\AppData\\Local\\Temp', windows: true };

/** oh-my-pi.md 4: examples and worked cases 2 to 6. */
describe('homeBucket', () => {
  it.each<[PathFacts, string, string]>([
    [linux, '/home/ann', '-'],
    [linux, '/home/ann/src/app', '-src-app'],
    [linux, '/home/ann/src-app', '-src-app'],
    [linux, '/home/ann/tmp', '-tmp'],
    [linux, '/tmp', '-tmp'],
    [linux, '/tmp/a/b c', '-tmp-a-b c'],
    [linux, '/srv/www/site', '--srv-www-site--'],
    [linux, '/', '----'],
    [linux, '/home/ann2/x', '--home-ann2-x--'],
    [linux, '/home/ann/.config/x', '-.config-x'],
    [linux, '/home/ann/项目/é', '-项目-é'],
    [linux, '/a/b-c', '--a-b-c--'],
    [linux, '/a-b/c', '--a-b-c--'],
    [linux, '/opt/a:b', '--opt-a-b--'],
    [linux, '/home/ann/..cfg', '--home-ann-..cfg--'],
    [linux, '/home/Ann/x', '--home-Ann-x--'],
    [linux, '/tmpfiles/x', '--tmpfiles-x--'],
    // A folder for temporary files inside of the home folder is first of all in the home folder.
    [{ ...linux, temp: '/home/ann/tmp' }, '/home/ann/tmp/x', '-tmp-x'],
    [{ ...linux, home: '/home/ann/' }, '/home/ann/src', '-src'],
    [{ ...linux, home: '/' }, '/work', '-work'],
    [{ ...linux, home: '/' }, '/', '-'],
    [mac, '/private/tmp/x', '--private-tmp-x--'],
    [mac, '/private/var/folders/zz/T/x', '-tmp-x'],
    [windows, 'C:\\Users\\ann', '-'],
    [windows, 'C:\\Users\\ann\\code\\x', '-code-x'],
    [windows, 'c:\\users\\ANN\\Code\\X', '-Code-X'],
    [windows, 'C:/Users/ann/code/x', '-code-x'],
    [windows, 'D:\\work\\pi', '--D--work-pi--'],
    [windows, 'd:\\work\\pi', '--d--work-pi--'],
    [windows, 'C:\\', '--C----'],
    [windows, '\\\\srv\\share\\p', '---srv-share-p--'],
    [windows, 'C:\\Users\\ann\\AppData\\Local\\Temp\\x', '-AppData-Local-Temp-x'],
    [windows, 'C:\\Users\\ann2\\x', '--C--Users-ann2-x--'],
    [{ ...windows, temp: 'D:\\Temp' }, 'd:\\temp\\x', '-tmp-x'],
    // İ is longer in lower case.
    [{ ...windows, home: 'C:\\Users\\İ' }, 'C:\\Users\\İ\\code', '-code'],
  ])('%j %s is %s', (facts, cwd, expected) => {
    expect(homeBucket(cwd, facts)).toBe(expected);
  });
});

/** pi.md 1.1. */
describe('absoluteBucket', () => {
  it.each([
    ['/home/u/my proj', '--home-u-my proj--'],
    ['/a/b-c', '--a-b-c--'],
    ['/a/b/c', '--a-b-c--'],
    ['/', '----'],
    ['C:\\Users\\x', '--C--Users-x--'],
    ['/home/u/.x/项目', '--home-u-.x-项目--'],
    // One separator goes, not two.
    ['//srv/share', '---srv-share--'],
  ])('%s is %s', (cwd, expected) => {
    expect(absoluteBucket(cwd)).toBe(expected);
  });
});

describe('samePath', () => {
  it.each<[string, string, boolean, boolean]>([
    ['/home/ann/x', '/home/ann/x', false, true],
    ['/home/ann/x/', '/home/ann/x', false, true],
    ['/home/ann/X', '/home/ann/x', false, false],
    ['/home/ann/x', '/home/ann/x/y', false, false],
    ['/', '/', false, true],
    ['D:\\Work\\pi', 'd:/work/PI/', true, true],
    ['D:\\Work\\pi', 'D:\\Work\\po', true, false],
    // A backslash is an ordinary character elsewhere.
    ['/a\\b', '/a/b', false, false],
  ])('%s, %s (Windows: %s): %s', (a, b, isWindows, expected) => {
    expect(samePath(a, b, isWindows)).toBe(expected);
  });
});
