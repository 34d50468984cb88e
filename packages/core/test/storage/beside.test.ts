import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';

import type { Disk } from '../../src/disk/disk.ts';
import { FaultDisk } from '../../src/disk/fault-disk.ts';
import { keepBytes, keepFile, moveBeside, spanChunks } from '../../src/storage/beside.ts';
import { restoreBackup, sweepTemps } from '../../src/storage/leftovers.ts';
import { failsWith, fileText, namesIn, putFile } from '../../src/testing/disk-files.ts';
import { PLACES, type Place } from './fixtures.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
const sha8 = (text: string): string => sha(text).slice(0, 8);

function place(make: () => Place, text = 'old'): { disk: Disk; base: string; file: string } {
  const { disk, base, dispose } = make();
  onTestFinished(dispose);
  putFile(disk, `${base}/a.jsonl`, text);
  return { disk, base, file: `${base}/a.jsonl` };
}

const withoutLinks = (disk: Disk): Disk => new FaultDisk(disk, (operation) => (operation === 'link' ? { error: 'EPERM' } : null));

describe.each(PLACES)('what is kept beside, %s', (_name, make) => {
  it('is the file before its first rewrite, under its hash, without a copy of its bytes', () => {
    const { disk, file } = place(make);
    const kept = keepFile(disk, file, 'before');
    expect(kept).toBe(`${file}.before-${sha8('old')}`);
    expect(disk.statSync(kept).ino).toBe(disk.statSync(file).ino);
    expect(fileText(disk, file)).toBe('old');
  });

  it('is a copy where the disk has no links', () => {
    const { disk, base, file } = place(make, 'x'.repeat(5_000_000));
    const kept = keepFile(withoutLinks(disk), file, 'before', { durable: true });
    expect(disk.statSync(kept).ino).not.toBe(disk.statSync(file).ino);
    expect(fileText(disk, kept)).toBe('x'.repeat(5_000_000));
    expect(disk.statSync(kept).mode & 0o077).toBe(0);
    expect(namesIn(disk, base)).toHaveLength(2);
  });

  it('is kept once', () => {
    const { disk, base, file } = place(make);
    expect(keepFile(disk, file, 'before')).toBe(keepFile(disk, file, 'before'));
    expect(keepBytes(disk, file, 'tail', bytes('{"to'))).toBe(keepBytes(disk, file, 'tail', bytes('{"to')));
    expect(namesIn(disk, base)).toHaveLength(3);
  });

  it('never gives way to another content whose hash begins alike', () => {
    const { disk, file } = place(make);
    putFile(disk, `${file}.before-${sha8('old')}`, 'another');
    const kept = keepFile(disk, file, 'before');
    expect(kept).toBe(`${file}.before-${sha('old')}`);
    expect(fileText(disk, kept)).toBe('old');
    expect(fileText(disk, `${file}.before-${sha8('old')}`)).toBe('another');
  });

  it('is an end that was cut off', () => {
    const { disk, file } = place(make);
    const kept = keepBytes(disk, file, 'tail', bytes('{"to'));
    expect(kept).toBe(`${file}.tail-${sha8('{"to')}`);
    expect(fileText(disk, kept)).toBe('{"to');
    expect(disk.statSync(kept).mode & 0o077).toBe(0);
  });

  it('is what was no session, and then it is no longer in the way', () => {
    const { disk, base, file } = place(make);
    const kept = moveBeside(disk, file, 'damaged');
    expect(kept).toBe(`${file}.damaged-${sha8('old')}`);
    expect(namesIn(disk, base)).toEqual([`a.jsonl.damaged-${sha8('old')}`]);
    putFile(disk, file, 'old');
    expect(moveBeside(disk, file, 'damaged')).toBe(kept);
    expect(fileText(disk, file)).toBeNull();
    expect(fileText(disk, kept)).toBe('old');
  });

  it.each(['ENOSPC', 'EIO'])('leaves no half copy: %s', async (code) => {
    const { disk, base, file } = place(make, 'x'.repeat(1000));
    let room = 3;
    const full = new FaultDisk(disk, (operation) => {
      if (operation === 'link') return { error: 'EPERM' };
      if (operation !== 'write') return null;
      return room-- > 0 ? { short: 10 } : { error: code };
    });
    await failsWith(code, () => keepFile(full, file, 'before'));
    await failsWith(code, () => keepBytes(full, file, 'tail', bytes('{"to')));
    expect(namesIn(disk, base)).toEqual(['a.jsonl']);
  });

  it('reads spans in pieces', () => {
    const { disk, file } = place(make, '0123456789');
    const open = disk.openSync(file, 'read');
    const read = (from: number, to: number): string => {
      let text = '';
      for (const chunk of spanChunks(open, from, to)) text += new TextDecoder().decode(chunk);
      return text;
    };
    expect([read(2, 5), read(8, 100), read(5, 5), read(7, 3)]).toEqual(['234', '89', '', '']);
    open.closeSync();
  });
});

describe.each(PLACES)('what a killed process left, %s', (_name, make) => {
  const backup = (n: number): string => `a.jsonl.${String(n).repeat(16)}.bak`;

  /** Two backups, of which the second one is newer. */
  async function moved(): Promise<{ disk: Disk; base: string; file: string }> {
    const { disk, base, file } = place(make);
    for (const n of [2, 1]) {
      putFile(disk, `${base}/${backup(n)}`, `backup ${String(n)}`);
      await new Promise((resolve) => setTimeout(resolve, 12));
    }
    return { disk, base, file };
  }

  it('comes back from the newest backup when the session has gone', async () => {
    const { disk, base, file } = await moved();
    disk.unlinkSync(file);
    expect(restoreBackup(disk, file)).toBe(true);
    expect(fileText(disk, file)).toBe('backup 1');
    expect(namesIn(disk, base)).toEqual(['a.jsonl', backup(2)]);
    expect(restoreBackup(disk, file)).toBe(false);
  });

  it('comes back without links, too', async () => {
    const { disk, file } = await moved();
    disk.unlinkSync(file);
    expect(restoreBackup(withoutLinks(disk), file)).toBe(true);
    expect(fileText(disk, file)).toBe('backup 1');
  });

  it('is left alone while the session is there', async () => {
    const { disk, base, file } = await moved();
    for (const kind of [disk, withoutLinks(disk)]) expect(restoreBackup(kind, file)).toBe(false);
    expect(fileText(disk, file)).toBe('old');
    expect(namesIn(disk, base)).toEqual(['a.jsonl', backup(1), backup(2)]);
  });

  it('knows no backup of a session of another name', () => {
    const { disk, base } = place(make);
    for (const name of ['b.jsonl.bak', 'b.jsonl.manual.bak', `b.jsonl.copy.jsonl.${'0'.repeat(16)}.bak`]) {
      putFile(disk, `${base}/${name}`, 'x');
    }
    expect(restoreBackup(disk, `${base}/b.jsonl`)).toBe(false);
    expect(restoreBackup(disk, `${base}/none/b.jsonl`)).toBe(false);
  });

  it('is removed when nobody can be writing it any more', () => {
    const { disk, base, file } = place(make);
    const temps = [`.a.jsonl.${'0'.repeat(16)}.tmp`, `..a.jsonl.owner.${'0'.repeat(16)}.tmp`];
    for (const name of [...temps, '.a.jsonl.tmp', '.a.jsonl.other.tmp', `.b.jsonl.${'0'.repeat(16)}.tmp`]) {
      putFile(disk, `${base}/${name}`, 'x');
    }
    const before = namesIn(disk, base);
    sweepTemps(disk, file, disk.statSync(`${base}/${temps[0]!}`).mtimeMs - 1000);
    expect(namesIn(disk, base)).toEqual(before);
    sweepTemps(disk, file, disk.statSync(`${base}/${temps[1]!}`).mtimeMs + 1000);
    expect(namesIn(disk, base)).toEqual(before.filter((name) => !temps.includes(name)));
  });
});
