import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { FaultDisk } from '../../src/disk/fault-disk.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { NodeDisk } from '../../src/disk/node-disk.ts';
import {
  breadcrumbPath,
  parseBreadcrumb,
  readBreadcrumb,
  writeBreadcrumb,
  type Breadcrumb,
} from '../../src/paths/breadcrumbs.ts';
import { terminalId } from '../../src/paths/terminal.ts';

/** oh-my-pi.md 5. */
describe('terminalId', () => {
  it.each<[string | null, Record<string, string>, string | null]>([
    ['/dev/pts/3', { TMUX_PANE: '%1' }, 'pts-3'],
    ['/dev/ttys003', {}, 'ttys003'],
    ['/dev/', {}, null],
    ['pipe:[12]', {}, null],
    ['pipe:[12]', { TMUX_PANE: '%1' }, 'tmux-%1'],
    [null, { ZELLIJ_PANE_ID: '4', ZELLIJ_SESSION_NAME: 'a/b\\c', TMUX_PANE: '%1' }, 'zellij-a-b-c-4'],
    [null, { ZELLIJ_PANE_ID: '4' }, 'zellij-4'],
    [null, { ZELLIJ_SESSION_NAME: 'a' }, null],
    [null, { CMUX_SURFACE_ID: 's', KITTY_WINDOW_ID: '1', TMUX_PANE: '' }, 'cmux-s'],
    [null, { WEZTERM_PANE: '0', KITTY_WINDOW_ID: '1' }, 'kitty-1'],
    [null, { WEZTERM_PANE: '0', TERM_SESSION_ID: 't' }, 'wezterm-0'],
    [null, { TERM_SESSION_ID: '../../etc/x', WT_SESSION: 'w' }, 'apple-..-..-etc-x'],
    [null, { WT_SESSION: 'w' }, 'wt-w'],
    [null, { TERM: 'xterm' }, null],
  ])('%s %j is %s', (tty, env, expected) => {
    expect(terminalId({ tty, env })).toBe(expected);
  });
});

const crumb: Breadcrumb = { cwd: '/w', sessionFile: '/s/a.jsonl', fresh: false, identity: null };

describe('parseBreadcrumb', () => {
  it.each<[string, Breadcrumb | null]>([
    ['/w\n/s/a.jsonl\n', crumb],
    ['/w\n/s/a.jsonl', crumb],
    ['/w\r\n/s/a.jsonl\r\n', crumb],
    ['/w\n/s/a.jsonl\nfresh\n', { ...crumb, fresh: true }],
    ['/w\n/s/a.jsonl\ncwdstat 1 22\nfresh\n', { ...crumb, fresh: true, identity: { dev: 1n, ino: 22n } }],
    [
      '/w\n/s/a.jsonl\nfresh\nlater\ncwdstat 1 18446744073709551615\n',
      { ...crumb, fresh: true, identity: { dev: 1n, ino: 18446744073709551615n } },
    ],
    ['/w\n/s/a.jsonl\ncwdstat x 1\n', crumb],
    ['/w\n', null],
    ['\n/s/a.jsonl\n', null],
    ['', null],
  ])('%j', (text, expected) => {
    expect(parseBreadcrumb(text)).toEqual(expected);
  });
});

describe('breadcrumbs', () => {
  it('are two lines and are read again', () => {
    const agent = mkdtempSync(path.join(tmpdir(), 'stemma-crumbs-'));
    onTestFinished(() => rmSync(agent, { recursive: true }));
    const disk = new NodeDisk();
    expect(readBreadcrumb(agent, 'pts-3', disk)).toBeNull();
    writeBreadcrumb(agent, 'pts-3', crumb, disk);
    const at = breadcrumbPath(agent, 'pts-3');
    expect(at).toBe(path.join(agent, 'terminal-sessions', 'pts-3'));
    expect(readFileSync(at, 'utf8')).toBe('/w\n/s/a.jsonl\n');
    expect([statSync(at).mode & 0o777, statSync(path.dirname(at)).mode & 0o777]).toEqual([0o600, 0o700]);
    const full = { ...crumb, fresh: true, identity: { dev: 5n, ino: 6n } };
    writeBreadcrumb(agent, 'pts-3', full, disk);
    expect(readFileSync(at, 'utf8')).toBe('/w\n/s/a.jsonl\nfresh\ncwdstat 5 6\n');
    expect(readBreadcrumb(agent, 'pts-3', disk)).toEqual(full);
  });

  it('are not written again when they are the same', () => {
    const disk = new MemoryDisk();
    writeBreadcrumb('/agent', 't', crumb, disk);
    const before = disk.statSync(breadcrumbPath('/agent', 't')).mtimeNs;
    writeBreadcrumb('/agent', 't', crumb, disk);
    expect(disk.statSync(breadcrumbPath('/agent', 't')).mtimeNs).toBe(before);
  });

  it('that cannot be told in lines are none', () => {
    const disk = new MemoryDisk();
    writeBreadcrumb('/agent', 't', crumb, disk);
    writeBreadcrumb('/agent', 't', { ...crumb, cwd: '/two\nlines' }, disk);
    expect(readBreadcrumb('/agent', 't', disk)).toBeNull();
  });

  it('never fail their session: an old or a new one is there, and the warning', () => {
    const other = { ...crumb, sessionFile: '/s/b.jsonl' };
    for (let failing = 1; failing < 30; failing++) {
      const inner = new MemoryDisk();
      writeBreadcrumb('/agent', 't', crumb, inner);
      const disk = new FaultDisk(inner, (_operation, _path, count) => (count === failing ? { error: 'ENOSPC' } : null));
      const warnings: unknown[] = [];
      writeBreadcrumb('/agent', 't', other, disk, (_, data) => warnings.push(data.errno));
      const found = readBreadcrumb('/agent', 't', inner);
      expect([crumb, other]).toContainEqual(found);
      if (found?.sessionFile === crumb.sessionFile) expect(warnings).toEqual(['ENOSPC']);
      if (failing > disk.count) return;
    }
    expect.unreachable();
  });
});
