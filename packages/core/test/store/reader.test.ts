import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { FaultDisk, type Fault } from '../../src/disk/fault-disk.ts';
import { NodeDisk } from '../../src/disk/node-disk.ts';
import { readSession } from '../../src/store/load.ts';
import type { SessionReader } from '../../src/store/reader.ts';
import { openRoot } from '../../src/store/roots.ts';
import { session } from '../../src/testing/index.ts';
import { columnsOf, decode } from '../support/decode.ts';
import { append, memoryWith, onlySession, put, readerOf, temporaryFolder, writeFiles } from './node-fixture.ts';

const build = session().user('one').assistant('two').at('e1').user('three');
const text = build.text();

/** About 3 MB, so that it is read in several chunks. */
const large = ((): string => {
  const many = session();
  for (let i = 0; i < 3000; i++) many.user(`${String(i)} ${'word '.repeat(200)}`);
  return many.text();
})();

describe('a reader', () => {
  it('gives outline, header, bodies in the order asked for, and the stored bytes', async () => {
    const reader = await readerOf(memoryWith(text));
    expect(reader.header?.id).toBe('session-1');
    expect([reader.complete, reader.problems]).toEqual([true, []]);
    expect(columnsOf(reader.outline)).toEqual(columnsOf(decode(text).outline));
    const bodies = await reader.load([2, 0, 2]);
    expect(bodies.map((body) => body.id)).toEqual(['e3', 'e1', 'e3']);
    expect(new TextDecoder().decode(await reader.loadRaw(1))).toBe(build.lines()[2]);
    expect(reader.progress).toEqual({ bytes: text.length, totalBytes: text.length });
    reader.close();
  });

  it('gives any bytes that it has read, and no more', async () => {
    const reader = await readerOf(memoryWith(text));
    const bytes = async (offset: number, length: number): Promise<string> =>
      new TextDecoder().decode(await reader.loadBytes(offset, length));
    expect(await bytes(3, 10)).toBe(text.slice(3, 13));
    expect(await bytes(text.length - 4, 1e9)).toBe(text.slice(-4));
    expect(await bytes(text.length, 8)).toBe('');
    expect(await bytes(Number.MAX_SAFE_INTEGER, 8)).toBe('');
    reader.close();
  });

  it('brings old entries into the current form, and leaves the stored bytes as they are', async () => {
    const old = session({ version: undefined }).message('hookMessage', { id: 'x', customType: 'memo', content: 'hi' });
    old.compaction('s', undefined, { id: 'y', firstKeptEntryIndex: 1 });
    const reader = await readerOf(memoryWith(old.text()));
    const [hook, compaction] = await reader.load([0, 1]);
    expect(hook).toMatchObject({ id: '00000001', parentId: null, message: { role: 'custom' } });
    expect(compaction).toMatchObject({ id: '00000002', parentId: '00000001', firstKeptEntryId: '00000001' });
    expect(compaction).not.toHaveProperty('firstKeptEntryIndex');
    expect(new TextDecoder().decode(await reader.loadRaw(0))).toBe(old.lines()[1]);
  });

  it('gives the same as reading the whole session', async () => {
    const folder = temporaryFolder();
    const messy = session({ version: 2 })
      .user('a', { id: 'a' })
      .user('b', { id: 'a' })
      .user('c', { id: null })
      .user('d', { parentId: 'nobody' });
    writeFiles(folder, { 'one.jsonl': `${messy.text()}{"torn` });
    const { root, file } = await onlySession(new NodeDisk(), folder);
    const reader = root.openReader(file);
    await reader.ready;
    const whole = await readSession(file.path);
    expect(whole.problems).toEqual(reader.problems);
    expect(whole.header).toEqual(reader.header);
    const loaded = await reader.load([0, 1, 2, 3]);
    expect(loaded.map((body) => (body as { message?: unknown }).message)).toEqual(
      whole.entries.map((body) => (body as { message?: unknown }).message),
    );
    reader.close();
  });

  it('rejects with session_not_found where the file is gone', async () => {
    const disk = memoryWith(text);
    const { root, file } = await onlySession(disk);
    disk.unlinkSync(file.path);
    await expect(root.openReader(file).ready).rejects.toMatchObject({ code: 'session_not_found' });
  });

  it('cannot be asked for bodies once it is closed', async () => {
    const reader = await readerOf(memoryWith(text));
    reader.close();
    await expect(reader.load([0])).rejects.toMatchObject({ code: 'storage_closed' });
    reader.close();
  });
});

describe('refreshing', () => {
  it('finds nothing where nothing has changed', async () => {
    const reader = await readerOf(memoryWith(text));
    const { epoch, revision } = reader;
    expect(await reader.refresh()).toBe('same');
    expect([reader.epoch, reader.revision]).toEqual([epoch, revision]);
  });

  it('decodes what was appended, in the same epoch', async () => {
    const disk = memoryWith(text);
    const reader = await readerOf(disk);
    const { epoch, revision } = reader;
    append(disk, `${build.lines()[1]!.replace('"e1"', '"e9"')}\n`);
    expect(await reader.refresh()).toBe('appended');
    expect(reader.epoch).toBe(epoch);
    expect(reader.revision).not.toBe(revision);
    expect(reader.outline.id(3)).toBe('e9');
    expect((await reader.load([3]))[0]?.id).toBe('e9');
  });

  it('takes the rest of a torn last line', async () => {
    const disk = memoryWith(text.slice(0, -30));
    const reader = await readerOf(disk);
    expect(reader.problems).toMatchObject([{ code: 'torn_tail' }]);
    expect(reader.outline.rowCount).toBe(2);
    append(disk, text.slice(-30));
    expect(await reader.refresh()).toBe('appended');
    expect([reader.problems, reader.outline.rowCount]).toEqual([[], 3]);
  });

  it('takes the LF and what follows a last line that had none', async () => {
    const disk = memoryWith(text.slice(0, -1));
    const reader = await readerOf(disk);
    const { epoch } = reader;
    expect(reader.outline.rowCount).toBe(3);
    append(disk, `\n${build.lines()[1]!.replace('"e1"', '"e9"')}\n`);
    expect(await reader.refresh()).toBe('appended');
    expect([reader.epoch, reader.outline.rowCount, reader.problems]).toEqual([epoch, 4, []]);
    expect(columnsOf(reader.outline)).toEqual(columnsOf((await readerOf(disk)).outline));
  });

  it('begins anew where a last line that was taken goes on', async () => {
    const disk = memoryWith(text.slice(0, -1));
    const reader = await readerOf(disk);
    append(disk, '{"type":"custom","id":"x","parentId":null}\n');
    expect(await reader.refresh()).toBe('rewritten');
    expect(reader.problems).toMatchObject([{ code: 'glued_records' }]);
    expect(reader.outline.rowCount).toBe(4);
  });

  it.each([
    ['shorter', text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)],
    ['of the same length', text.replace('three', 'THREE')],
    ['longer but different at its beginning', `${text.replace('one', 'ONE')}${build.lines()[1]!}\n`],
  ])('begins a new epoch where the file is %s', async (_, now) => {
    const disk = memoryWith(text);
    const reader = await readerOf(disk);
    const { epoch } = reader;
    put(disk, now);
    expect(await reader.refresh()).toBe('rewritten');
    expect(reader.epoch).not.toBe(epoch);
    expect(columnsOf(reader.outline)).toEqual(columnsOf(decode(now).outline));
  });

  it('finds a rewritten block in the middle of a file that has grown', async () => {
    const disk = memoryWith(large);
    const reader = await readerOf(disk);
    const middle = large.indexOf('1500 word');
    put(
      disk,
      `${large.slice(0, middle)}${large.slice(middle, middle + 120_000).replaceAll('word', 'WORD')}${large.slice(middle + 120_000)}\n`,
    );
    expect(await reader.refresh()).toBe('rewritten');
  });

  it('reads the file that was renamed into its place, and keeps to the old one until then', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'one.jsonl': text });
    const { root, file } = await onlySession(new NodeDisk(), folder);
    const reader = root.openReader(file);
    await reader.ready;
    const next = session({ id: 'next' }).user('new').text();
    writeFileSync(path.join(folder, 'next.tmp'), next);
    renameSync(path.join(folder, 'next.tmp'), file.path);
    expect(((await reader.load([0]))[0] as { message?: { content: unknown } }).message?.content).toBe('one');
    expect(await reader.refresh()).toBe('rewritten');
    expect([reader.header?.id, reader.outline.rowCount]).toEqual(['next', 1]);
    reader.close();
  });

  it('rejects where the file is gone, and works again when it is back', async () => {
    const disk = memoryWith(text);
    const reader = await readerOf(disk);
    disk.unlinkSync('/sessions/one.jsonl');
    await expect(reader.refresh()).rejects.toMatchObject({ code: 'session_not_found' });
    expect((await reader.load([0]))[0]?.id).toBe('e1');
    put(disk, text);
    expect(await reader.refresh()).toBe('rewritten');
  });

  it('is done one after the other, however often it is asked for', async () => {
    const disk = memoryWith(text);
    const reader = await readerOf(disk);
    append(disk, `${build.lines()[1]!.replace('"e1"', '"e9"')}\n`);
    expect(await Promise.all([reader.refresh(), reader.refresh(), reader.refresh()])).toEqual(['appended', 'same', 'same']);
    expect(reader.outline.rowCount).toBe(4);
  });

  it('ends at the same outline as decoding at once, however the file grew', async () => {
    const source = `${session().user('a', { id: 'x' }).user('b', { parentId: 'late' }).user('c', { id: 'x' }).raw('damaged').user('d', { id: 'late' }).text()}{"type":"custom","id":"y"}{"type":"custom","id":"z"}\n`;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(source.length), { maxLength: 6 }), async (places) => {
        const cuts = [...new Set(places), source.length].sort((a, b) => a - b);
        const disk = memoryWith(source.slice(0, cuts[0]));
        const reader = await readerOf(disk);
        for (const [i, to] of cuts.slice(1).entries()) {
          append(disk, source.slice(cuts[i], to));
          const before = [...reader.outline.parents()];
          const { epoch } = reader;
          await reader.refresh();
          if (reader.epoch === epoch) expect([...reader.outline.parents()].slice(0, before.length)).toEqual(before);
        }
        expect(columnsOf(reader.outline)).toEqual(columnsOf(decode(source).outline));
        expect(reader.problems.map((found) => found.code).sort()).toEqual(
          decode(source)
            .decoder.problems.map((found) => found.code)
            .sort(),
        );
      }),
      { numRuns: 200 },
    );
  });
});

describe('a reader on a bad disk', () => {
  function faulty(plan: (reads: number) => Fault): FaultDisk {
    // The first read is of the file's beginning, for the epoch.
    let reads = -1;
    return new FaultDisk(memoryWith(large), (operation) => (operation === 'read' ? plan(++reads) : null));
  }

  /** What is shown is what stands before the place that the problem names, and that is not nothing. */
  function expectGoodPart(reader: SessionReader): void {
    const found = reader.problems.at(-1)!;
    expect(found).toMatchObject({ code: 'unreadable', byteOffset: expect.any(Number) as number });
    const good = decode(large.slice(0, found.byteOffset)).outline.rowCount;
    expect(good).toBeGreaterThan(900);
    expect(good).toBeLessThan(3000);
    expect(reader.outline.rowCount).toBe(good);
    expect(reader.problemsTotal).toBe(reader.problems.length);
  }

  it('shows the good part and names the place where one read failed', async () => {
    expectGoodPart(await readerOf(faulty((reads) => (reads === 2 ? { error: 'EIO' } : null))));
  });

  it('shows the good part where every read from then on fails', async () => {
    const reader = await readerOf(faulty((reads) => (reads >= 2 ? { error: 'EIO' } : null)));
    expectGoodPart(reader);
    await expect(reader.load([0])).rejects.toMatchObject({ code: 'storage_io' });
  });

  it('reads again later what a passing fault kept back', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const reader = await readerOf(faulty((reads) => (reads === 2 ? { error: 'EIO' } : null)));
      expect(await reader.refresh()).toBe('same');
      vi.advanceTimersByTime(6_000);
      expect(await reader.refresh()).toBe('rewritten');
      expect([reader.outline.rowCount, reader.problems]).toEqual([3000, []]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('reads on where a disk gives fewer bytes than asked for', async () => {
    const reader = await readerOf(faulty(() => ({ short: 100_000 })));
    expect([reader.outline.rowCount, reader.problems]).toEqual([3000, []]);
  });

  it('rejects with storage_io where the file cannot be opened', async () => {
    const disk = memoryWith(text);
    const { file } = await onlySession(disk);
    const locked = new FaultDisk(disk, (operation) => (operation === 'open' ? { error: 'EACCES' } : null));
    const root = await openRoot({ path: '/sessions' }, locked);
    await expect(root.openReader(file).ready).rejects.toMatchObject({ code: 'storage_io', data: { errno: 'EACCES' } });
  });
});

describe('stopping', () => {
  it('by closing rejects what is still being read', async () => {
    const { root, file } = await onlySession(memoryWith(large));
    const reader = root.openReader(file);
    reader.close();
    await expect(reader.ready).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('by closing in the middle of reading lets go of the file', async () => {
    let open = 0;
    const disk = new FaultDisk(memoryWith(large), (operation) => {
      if (operation === 'open') open++;
      if (operation === 'close') open--;
      return null;
    });
    const { root, file } = await onlySession(disk);
    const reader = root.openReader(file);
    while (reader.progress.bytes === 0) await Promise.resolve();
    reader.close();
    await expect(reader.ready).rejects.toMatchObject({ code: 'cancelled' });
    expect(open).toBe(0);
  });

  it('by a signal rejects as well', async () => {
    const { root, file } = await onlySession(memoryWith(large));
    const stop = new AbortController();
    const reader = root.openReader(file, { signal: stop.signal });
    stop.abort();
    await expect(reader.ready).rejects.toMatchObject({ code: 'cancelled' });
  });
});
