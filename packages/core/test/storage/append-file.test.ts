import { describe, expect, it, onTestFinished } from 'vitest';

import type { Disk } from '../../src/disk/disk.ts';
import { FaultDisk, type Fault } from '../../src/disk/fault-disk.ts';
import { AppendFile } from '../../src/storage/append-file.ts';
import { AtomicReplace } from '../../src/storage/atomic-replace.ts';
import { seePath } from '../../src/storage/seen.ts';
import { failsWith, fileText, putFile } from '../../src/testing/disk-files.ts';
import { inMemory, onDisk, PLACES, type Place } from './fixtures.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const LINE = `${'x'.repeat(300)}\n`;

function place(make: () => Place): { disk: Disk; file: string } {
  const { disk, base, dispose } = make();
  onTestFinished(dispose);
  return { disk, file: `${base}/a.jsonl` };
}

/** An open file with a first line, and somebody who changes it behind its back. */
function opened(make: () => Place): { disk: Disk; file: string; ours: AppendFile } {
  const { disk, file } = place(make);
  putFile(disk, file, 'first\n');
  const ours = new AppendFile(disk, file);
  ours.appendText(LINE);
  onTestFinished(() => ours.close());
  return { disk, file, ours };
}

function replace(disk: Disk, file: string, text: string): void {
  const content = new AtomicReplace(disk, file);
  content.write(bytes(text));
  content.commit();
}

function overwrite(disk: Disk, file: string, text: string, at = 0): void {
  const open = disk.openSync(file, 'readwrite');
  open.writeSync(bytes(text), 0, text.length, at);
  open.closeSync();
}

function truncate(disk: Disk, file: string, size: number): void {
  const open = disk.openSync(file, 'readwrite');
  open.truncateSync(size);
  open.closeSync();
}

describe.each(PLACES)('AppendFile %s', (_name, make) => {
  it('appends bytes and texts of any length, and knows size and end', () => {
    const { disk, file } = place(make);
    const ours = new AppendFile(disk, file, { create: true });
    const parts = ['a', '\n', LINE, 'é\n', '三'.repeat(30_000), '\n', LINE, LINE, 'short\n'];
    let text = '';
    parts.forEach((part, i) => {
      if (i % 2 === 0) ours.append(bytes(part));
      else ours.appendText(part);
      text += part;
      expect(ours.size).toBe(bytes(text).length);
      expect(ours.endsLine).toBe(text.endsWith('\n'));
      expect(Buffer.from(ours.seen!.tail).toString('latin1')).toBe(Buffer.from(bytes(text).slice(-256)).toString('latin1'));
    });
    expect(ours.changed()).toBe('none');
    ours.close();
    expect(fileText(disk, file)).toBe(text);
  });

  it('keeps nothing of the buffers that it was given', () => {
    const { ours } = opened(make);
    const shared = Buffer.from(LINE);
    ours.append(shared);
    shared.fill(0);
    expect(ours.changed()).toBe('none');
  });

  it('makes a file only where it is told to', () => {
    const { disk, file } = place(make);
    return failsWith('ENOENT', () => new AppendFile(disk, file).append(bytes(LINE))).then(() => {
      expect(fileText(disk, file)).toBeNull();
    });
  });

  it('is closed for good', async () => {
    const { file, disk, ours } = opened(make);
    ours.close();
    ours.close();
    await failsWith('storage_closed', () => ours.append(bytes(LINE)));
    expect(fileText(disk, file)).toBe(`first\n${LINE}`);
  });

  it('opens no other file than the one that was read', async () => {
    const { disk, file } = place(make);
    putFile(disk, file, 'first\n');
    const ours = new AppendFile(disk, file);
    ours.expect(seePath(disk, file));
    overwrite(disk, file, 'more', 6);
    await failsWith('session_conflict', () => ours.open());
    ours.expect(seePath(disk, file));
    replace(disk, file, 'first\nmore');
    await failsWith('session_conflict', () => ours.append(bytes(LINE)));
    expect(fileText(disk, file)).toBe('first\nmore');
  });
});

describe.each(PLACES)('what others did, %s', (_name, make) => {
  it.each<[string, string, (disk: Disk, file: string) => void]>([
    ['none', 'nothing happened', () => undefined],
    ['grown', 'somebody appended', (disk, file) => overwrite(disk, file, 'more\n', 6 + LINE.length)],
    ['touched', 'the beginning was written in place', (disk, file) => overwrite(disk, file, 'FIRST')],
    ['replaced', 'the end was written in place', (disk, file) => overwrite(disk, file, 'y', 6 + LINE.length - 2)],
    ['replaced', 'another file has the name', (disk, file) => replace(disk, file, `first\n${LINE}`)],
    ['replaced', 'it was written anew, and is longer', (disk, file) => overwrite(disk, file, 'z'.repeat(1000))],
    ['shrunk', 'the end was cut off', (disk, file) => truncate(disk, file, 6)],
    ['gone', 'it was removed', (disk, file) => disk.unlinkSync(file)],
  ])('%s: %s', async (change, _what, act) => {
    const { disk, file, ours } = opened(make);
    expect(ours.changed()).toBe('none');
    // A file's time moves in steps of some milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 12));
    act(disk, file);
    expect(ours.changed()).toBe(change);
    if (change === 'touched') expect(ours.changed()).toBe('none');
  });

  it('is the same question with one stat where nothing happened', () => {
    const { disk, file } = place(make);
    putFile(disk, file, 'first\n');
    const operations: string[] = [];
    const ours = new AppendFile(new FaultDisk(disk, (operation) => (operations.push(operation), null)), file);
    ours.appendText(LINE);
    ours.changed();
    operations.length = 0;
    ours.changed();
    expect(operations).toEqual(['stat']);
    operations.length = 0;
    ours.appendText(LINE);
    ours.append(bytes(LINE));
    expect(operations).toEqual(['write', 'write']);
  });

  it('goes on with the file that the caller has read', () => {
    const { disk, file, ours } = opened(make);
    replace(disk, file, 'theirs\n');
    expect(ours.changed()).toBe('replaced');
    ours.expect(seePath(disk, file));
    ours.append(bytes('ours\n'));
    expect(fileText(disk, file)).toBe('theirs\nours\n');
    expect(ours.changed()).toBe('none');
  });
});

/** A disk with a switch: what each operation does while it is broken. */
function breakable(make: () => Place): { disk: Disk; file: string; ours: AppendFile; set(faults: Record<string, Fault>): void } {
  const { disk, file } = place(make);
  putFile(disk, file, 'first\n');
  let faults: Record<string, Fault> = {};
  const ours = new AppendFile(new FaultDisk(disk, (operation) => faults[operation] ?? null), file);
  ours.open();
  return { disk, file, ours, set: (next) => void (faults = next) };
}

describe.each(PLACES)('a failed append, %s', (_name, make) => {
  it('leaves the file as it was when the disk is full in the middle of a line, and goes on when there is room', async () => {
    const { disk, file } = place(make);
    putFile(disk, file, 'first\n');
    let room = 100;
    const full = new FaultDisk(disk, (operation) => {
      if (operation !== 'write') return null;
      if (room === 0) return { error: 'ENOSPC' };
      const short = Math.min(room, 60);
      room -= short;
      return { short };
    });
    const ours = new AppendFile(full, file);
    await failsWith('ENOSPC', () => ours.appendText(LINE));
    expect(fileText(disk, file)).toBe('first\n');
    expect(ours.changed()).toBe('none');
    room = 10_000;
    ours.appendText(LINE);
    expect(fileText(disk, file)).toBe(`first\n${LINE}`);
    expect(ours.changed()).toBe('none');
    ours.close();
  });

  it('is cut off before the next one where that did not work at once', async () => {
    let full = false;
    const { disk, file } = place(make);
    putFile(disk, file, 'first\n');
    let passed = 0;
    const ours = new AppendFile(
      new FaultDisk(disk, (operation) => {
        if (!full) return null;
        if (operation === 'write') return passed++ === 0 ? { short: 10 } : { error: 'ENOSPC' };
        return operation === 'truncate' ? { error: 'EIO' } : null;
      }),
      file,
    );
    ours.open();
    full = true;
    await failsWith('ENOSPC', () => ours.appendText(LINE));
    expect(fileText(disk, file)).toBe(`first\n${LINE.slice(0, 10)}`);
    await failsWith('EIO', () => ours.changed());
    await failsWith('EIO', () => ours.appendText(LINE));
    full = false;
    ours.appendText('next\n');
    expect(fileText(disk, file)).toBe('first\nnext\n');
    expect(ours.changed()).toBe('none');
    ours.close();
  });

  it('is cut off by closing', async () => {
    const { disk, file, ours, set } = breakable(make);
    set({ write: { error: 'EIO' }, open: { error: 'EMFILE' } });
    await failsWith('EIO', () => ours.appendText(LINE));
    overwrite(disk, file, LINE.slice(0, 20), 6);
    set({});
    ours.close();
    expect(fileText(disk, file)).toBe('first\n');
  });

  it('leaves what is known of the end as it was', async () => {
    const { disk, file, ours, set } = breakable(make);
    ours.appendText(LINE);
    set({ write: { error: 'ENOSPC' } });
    await failsWith('ENOSPC', () => ours.appendText('y'.repeat(400)));
    set({});
    expect(ours.changed()).toBe('none');
    expect(ours.endsLine).toBe(true);
    expect(fileText(disk, file)).toBe(`first\n${LINE}`);
  });

  it('takes a line back whose safety is not known', async () => {
    const { disk, file } = place(make);
    putFile(disk, file, 'first\n');
    let broken = true;
    const ours = new AppendFile(
      new FaultDisk(disk, (operation) => (operation === 'fsync' && broken ? { error: 'EIO' } : null)),
      file,
      {
        durable: true,
      },
    );
    await failsWith('EIO', () => ours.appendText(LINE));
    expect(fileText(disk, file)).toBe('first\n');
    broken = false;
    ours.appendText(LINE);
    expect(fileText(disk, file)).toBe(`first\n${LINE}`);
    ours.close();
  });

  it('cuts nothing that somebody else wrote', async () => {
    const { disk, file } = place(make);
    putFile(disk, file, 'first\n');
    let writes = 0;
    const ours = new AppendFile(
      new FaultDisk(disk, (operation) => {
        if (operation !== 'write') return null;
        if (writes++ === 0) return { short: 4 };
        overwrite(disk, file, 'theirs\n', 10);
        return { error: 'ENOSPC' };
      }),
      file,
    );
    await failsWith('ENOSPC', () => ours.appendText(LINE));
    expect(fileText(disk, file)).toBe('first\nxxxxtheirs\n');
    expect(ours.changed()).toBe('grown');
    ours.close();
  });

  it('never ends on a disk that takes nothing', async () => {
    const { disk, file, ours, set } = breakable(make);
    set({ write: { short: 0 } });
    await failsWith('EIO', () => ours.appendText(LINE));
    expect(fileText(disk, file)).toBe('first\n');
  });
});

it('keeps only one file open at a time', () => {
  const { disk, base, dispose } = onDisk();
  onTestFinished(dispose);
  const open = new Set<unknown>();
  const counting: Disk = new FaultDisk(disk, () => null);
  const openSync = counting.openSync.bind(counting);
  counting.openSync = (path, mode, permissions) => {
    const file = openSync(path, mode, permissions);
    open.add(file);
    const close = file.closeSync.bind(file);
    file.closeSync = () => (open.delete(file), close());
    return file;
  };
  const ours = new AppendFile(counting, `${base}/a`, { create: true });
  for (let i = 0; i < 5; i++) {
    ours.appendText(LINE);
    replace(disk, `${base}/a`, 'theirs\n');
    expect(ours.changed()).toBe('replaced');
    ours.expect(seePath(counting, `${base}/a`));
    expect(open.size).toBe(0);
  }
  ours.appendText(LINE);
  expect(open.size).toBe(1);
  ours.close();
  expect(open.size).toBe(0);
});

it('says so where nothing was looked at', () => {
  const { disk, base } = inMemory();
  expect(() => new AppendFile(disk, `${base}/a`).changed()).toThrow(/nothing is known/i);
});
