import { describe, expect, it } from 'vitest';

import { parseOptions, type Options } from '../src/options.ts';

const from = { cwd: '/home/ada/work', home: '/home/ada' };
const parse = (...args: string[]) => parseOptions(args, from);
const parsed = (...args: string[]) => {
  const options = parse(...args);
  if ('problem' in options) throw new Error(options.problem);
  return options satisfies Options;
};
const problem = (...args: string[]) => {
  const options = parse(...args);
  return 'problem' in options ? options.problem : undefined;
};

describe('parseOptions', () => {
  it('has defaults for everything', () => {
    expect(parsed()).toEqual({
      port: 4317,
      host: '127.0.0.1',
      roots: [],
      demo: false,
      open: true,
      help: false,
      version: false,
    });
  });

  it('reads every option', () => {
    expect(parsed('--port', '0', '--host=::1', '--demo', '--no-open', '--root', 'a', '--root=/b:pi', '-h', '-v')).toEqual({
      port: 0,
      host: '::1',
      roots: [{ path: '/home/ada/work/a' }, { path: '/b', dialect: 'pi' }],
      demo: true,
      open: false,
      help: true,
      version: true,
    });
  });

  it.each([
    ['/x/y', { path: '/x/y' }],
    ['/x/y:dsh', { path: '/x/y', dialect: 'dsh' }],
    ['/x:pi/y', { path: '/x:pi/y' }],
    ['/x/y:other', { path: '/x/y:other' }],
    ['/x/y:pi:musepi', { path: '/x/y:pi', dialect: 'musepi' }],
    ['/x/y:', { path: '/x/y:' }],
    [':pi', { path: '/home/ada/work/:pi' }],
    ['pi', { path: '/home/ada/work/pi' }],
    ['~/notes:projects', { path: '/home/ada/notes', dialect: 'projects' }],
    ['~', { path: '/home/ada' }],
    ['~other/x', { path: '/home/ada/work/~other/x' }],
    ['../up', { path: '/home/ada/up' }],
  ])('--root %s', (given, root) => {
    expect(parsed('--root', given).roots).toEqual([root]);
  });

  it.each([
    [['--prot', '1'], 'Unknown option --prot'],
    [['-x'], 'Unknown option -x'],
    [['--__proto__'], 'Unknown option --__proto__'],
    [['--port'], '--port needs a value'],
    [['--port', '--demo'], '--port needs a value'],
    [['--root='], '--root needs a value'],
    [['--demo=yes'], '--demo takes no value'],
    [['here'], 'Unexpected argument here'],
    [['--', 'here'], 'Unexpected argument here'],
    [['--port', '65536'], 'is no port'],
    [['--port', '80a'], 'is no port'],
    [['--port=-1'], 'is no port'],
    [['--port', '1e3'], 'is no port'],
    [['--host', '0.0.0.0'], '--host 0.0.0.0 is refused'],
    [['--host', '192.168.1.2'], 'is refused'],
  ])('%j is answered with one sentence', (args, sentence) => {
    expect(problem(...args)).toContain(sentence);
    expect(problem(...args)).toMatch(/^[^\n]+\.$/);
  });
});
