import { describe, expect, it, onTestFinished } from 'vitest';

import { DiskError, type Disk } from '../../src/disk/disk.ts';
import { FaultDisk, type FaultPlan } from '../../src/disk/fault-disk.ts';
import { AtomicReplace } from '../../src/storage/atomic-replace.ts';
import { failsWith, fileText, namesIn, putFile } from '../../src/testing/disk-files.ts';
import { PLACES, type Place } from './fixtures.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function place(make: () => Place, old: string | null = 'old'): { disk: Disk; base: string; file: string } {
  const { disk, base, dispose } = make();
  onTestFinished(dispose);
  if (old !== null) putFile(disk, `${base}/a.jsonl`, old);
  return { disk, base, file: `${base}/a.jsonl` };
}

function written(disk: Disk, file: string, text = 'new'): AtomicReplace {
  const content = new AtomicReplace(disk, file);
  content.write(bytes(text));
  return content;
}

/** Fails at the renames with these numbers. */
function renames(...failing: number[]): FaultPlan {
  let count = 0;
  return (operation) => (operation === 'rename' && failing.includes(++count) ? { error: 'EPERM' } : null);
}

describe.each(PLACES)('AtomicReplace %s', (_name, make) => {
  it('writes in pieces beside the file, under a hidden name', () => {
    const { disk, base, file } = place(make);
    const content = new AtomicReplace(disk, file);
    content.write(bytes('one '));
    content.write(bytes('two'));
    expect(content.size).toBe(7);
    expect(fileText(disk, file)).toBe('old');
    expect(namesIn(disk, base)).toEqual([expect.stringMatching(/^\.a\.jsonl\.[0-9a-f]{16}\.tmp$/), 'a.jsonl']);
    expect(content.committed).toBe(false);
    expect(content.commit()).toBe(true);
    expect(content.committed).toBe(true);
    expect(fileText(disk, file)).toBe('one two');
    expect(namesIn(disk, base)).toEqual(['a.jsonl']);
    expect(content.leftover).toBeNull();
  });

  it('does nothing when it is given up, before or after', () => {
    const { disk, base, file } = place(make);
    const content = written(disk, file);
    content.abort();
    content.abort();
    expect(fileText(disk, file)).toBe('old');
    expect(namesIn(disk, base)).toEqual(['a.jsonl']);
    const other = written(disk, file);
    other.commit();
    other.abort();
    expect(fileText(disk, file)).toBe('new');
  });

  it('takes no bytes and no second commit when it is complete', async () => {
    const { disk, file } = place(make);
    const content = written(disk, file);
    content.commit();
    await failsWith('storage_closed', () => content.write(bytes('x')));
    await failsWith('storage_closed', () => content.commit());
    expect(fileText(disk, file)).toBe('new');
  });

  it('makes a new file only where there is none', async () => {
    const { disk, base, file } = place(make);
    await failsWith('EEXIST', () => written(disk, file).commitNew());
    expect(fileText(disk, file)).toBe('old');
    written(disk, `${base}/b.jsonl`).commitNew();
    expect(fileText(disk, `${base}/b.jsonl`)).toBe('new');
    expect(namesIn(disk, base)).toEqual(['a.jsonl', 'b.jsonl']);
  });

  it('makes a new file on a disk without links, and leaves no empty one', async () => {
    const { disk, base, file } = place(make, null);
    const without = (more: FaultPlan): Disk =>
      new FaultDisk(disk, (operation, ...rest) => (operation === 'link' ? { error: 'ENOTSUP' } : more(operation, ...rest)));
    const broken = without((operation) => (operation === 'rename' ? { error: 'EIO' } : null));
    await failsWith('EIO', () => written(broken, file).commitNew());
    expect(namesIn(disk, base)).toEqual([]);
    written(
      without(() => null),
      file,
    ).commitNew();
    expect(fileText(disk, file)).toBe('new');
    await failsWith('EEXIST', () =>
      written(
        without(() => null),
        file,
        'x',
      ).commitNew(),
    );
    expect(fileText(disk, file)).toBe('new');
    expect(namesIn(disk, base)).toEqual(['a.jsonl']);
  });

  it('needs a folder', async () => {
    const { disk, base } = place(make);
    await failsWith('ENOENT', () => new AtomicReplace(disk, `${base}/none/a.jsonl`));
  });
});

describe.each(PLACES)('where a file cannot be replaced, %s', (_name, make) => {
  it('moves the old content aside and removes it when the new one is in place', () => {
    const { disk, base, file } = place(make);
    expect(written(new FaultDisk(disk, renames(1)), file).commit()).toBe(true);
    expect(fileText(disk, file)).toBe('new');
    expect(namesIn(disk, base)).toEqual(['a.jsonl']);
  });

  it('has the old content in reach at every step', () => {
    const { disk, base, file } = place(make);
    const plan = renames(1);
    const seen: string[] = [];
    const watching = new FaultDisk(disk, (operation, path, count) => {
      if (operation === 'rename')
        seen.push(
          namesIn(disk, base)
            .join(' ')
            .replace(/[0-9a-f]{16}/g, '#'),
        );
      return plan(operation, path, count);
    });
    written(watching, file).commit();
    expect(seen).toEqual(['.a.jsonl.#.tmp a.jsonl', '.a.jsonl.#.tmp a.jsonl', '.a.jsonl.#.tmp a.jsonl.#.bak']);
  });

  it('puts the old content back where the new one cannot take the name', async () => {
    const { disk, base, file } = place(make);
    await failsWith('EPERM', () => written(new FaultDisk(disk, renames(1, 3)), file).commit());
    expect(fileText(disk, file)).toBe('old');
    expect(namesIn(disk, base)).toEqual(['a.jsonl']);
  });

  it('says the first reason where it cannot even be moved aside', async () => {
    const { disk, base, file } = place(make);
    await failsWith('EPERM', () => written(new FaultDisk(disk, renames(1, 2)), file).commit());
    expect(fileText(disk, file)).toBe('old');
    expect(namesIn(disk, base)).toEqual(['a.jsonl']);
  });

  it('names a backup that could be neither put back nor removed', async () => {
    const { disk, base, file } = place(make);
    const content = written(new FaultDisk(disk, renames(1, 3, 4)), file);
    await failsWith('EPERM', () => content.commit());
    expect(namesIn(disk, base)).toEqual([expect.stringMatching(/^a\.jsonl\.[0-9a-f]{16}\.bak$/)]);
    expect(content.leftover).toBe(`${base}/${namesIn(disk, base)[0]!}`);
    expect(fileText(disk, content.leftover!)).toBe('old');
  });

  it('does not move aside for other errors', async () => {
    const { disk, base, file } = place(make);
    let count = 0;
    const once = new FaultDisk(disk, (operation) => (operation === 'rename' && ++count === 1 ? { error: 'EIO' } : null));
    await failsWith('EIO', () => written(once, file).commit());
    expect(fileText(disk, file)).toBe('old');
    expect(namesIn(disk, base)).toEqual(['a.jsonl']);
  });
});

describe.each(PLACES)('an error of writing, %s', (_name, make) => {
  it.each(['ENOSPC', 'EIO'])('%s removes what was written', async (code) => {
    const { disk, base, file } = place(make);
    let room = 5;
    const full = new FaultDisk(disk, (operation) => {
      if (operation !== 'write') return null;
      return room-- > 0 ? { short: 1 } : { error: code };
    });
    await failsWith(code, () => written(full, file, 'longer than that'));
    expect(fileText(disk, file)).toBe('old');
    expect(namesIn(disk, base)).toEqual(['a.jsonl']);
  });

  it('of closing is one, too', async () => {
    const { disk, base, file } = place(make);
    const broken = new FaultDisk(disk, (operation) => (operation === 'close' ? { error: 'EIO' } : null));
    await failsWith('EIO', () => written(broken, file).commit());
    expect(fileText(disk, file)).toBe('old');
    expect(namesIn(disk, base)).toEqual(['a.jsonl']);
  });

  it('is the one that is told, not those of cleaning up', async () => {
    const { disk, file } = place(make);
    const dead = new FaultDisk(disk, (operation) =>
      operation === 'write' ? { error: 'ENOSPC' } : ['close', 'unlink'].includes(operation) ? { error: 'EIO' } : null,
    );
    const content = new AtomicReplace(dead, file);
    await failsWith('ENOSPC', () => content.write(bytes('x')));
    expect(content.leftover).toMatch(/\.tmp$/);
    expect(fileText(disk, file)).toBe('old');
  });
});

describe.each(PLACES)('durable, %s', (_name, make) => {
  it('syncs the content before it has the name, and the folder after', () => {
    const { disk, file } = place(make);
    const steps: string[] = [];
    const content = new AtomicReplace(new FaultDisk(disk, (operation) => (steps.push(operation), null)), file, {
      durable: true,
    });
    content.write(bytes('new'));
    content.commit();
    expect(steps.filter((step) => /write|fsync|rename|close/.test(step))).toEqual([
      'write',
      'fsync',
      'close',
      'rename',
      'fsyncdir',
    ]);
  });

  it('says that the new content is in place when the folder cannot be synced', () => {
    const { disk, base, file } = place(make);
    const broken = new FaultDisk(disk, (operation) => (operation === 'fsyncdir' ? { error: 'EIO' } : null));
    const content = new AtomicReplace(broken, file, { durable: true });
    content.write(bytes('new'));
    expect(() => content.commit()).toThrow(DiskError);
    expect(content.committed).toBe(true);
    expect(fileText(disk, file)).toBe('new');
    expect(namesIn(disk, base)).toEqual(['a.jsonl']);
  });
});
