import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';

import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { FaultDisk } from '../../src/disk/fault-disk.ts';
import { loadEntriesFromFile, readSession } from '../../src/store/load.ts';
import type { Dialect } from '../../src/store/root-layout.ts';
import { openRoot } from '../../src/store/roots.ts';
import type { SliceSummary } from '../../src/store/slices.ts';
import { session, type SessionBuilder } from '../../src/testing/index.ts';
import { onlySession, readerOf, temporaryFolder, writeFiles, memoryWith } from './node-fixture.ts';
import { NodeDisk } from '../../src/disk/node-disk.ts';

async function summaryOf(build: SessionBuilder, dialect: Dialect = 'musepi'): Promise<SliceSummary> {
  const disk = new MemoryDisk();
  disk.writeFile('/s/one.jsonl', build.bytes());
  const root = await openRoot({ path: '/s', dialect }, disk);
  return root.summarise((await root.scan()).sessions[0]!);
}

/** More than is read of a large file's ends. */
function padded(build: SessionBuilder, kilobytes = 200): SessionBuilder {
  for (let i = 0; i < kilobytes; i++) build.assistant('x'.repeat(900));
  return build;
}

describe('the summary of a large file', () => {
  it('knows what its ends tell, and null for what only counting tells', async () => {
    const summary = await summaryOf(padded(session({ id: 's', cwd: '/p', title: 'Name' }).user('First question')).user('last'));
    expect(summary).toMatchObject({
      id: 's',
      cwd: '/p',
      title: 'Name',
      firstPrompt: 'First question',
      status: 'pending',
      whole: false,
    });
    const unknown = ['entryCount', 'messageCount', 'branchCount', 'compactionCount', 'tokens', 'cost', 'shape'] as const;
    for (const field of unknown) expect(summary[field]).toBeNull();
  });

  it('has status unknown where the last message is longer than what is read (oh-my-pi worked case 79)', async () => {
    expect((await summaryOf(padded(session()).user('x'.repeat(100 * 1024)))).status).toBe('unknown');
  });

  it('reads a header line that is longer than a first look (oh-my-pi worked case 80)', async () => {
    const summary = await summaryOf(padded(session({ title: 'long '.repeat(5000) }).user('hi')));
    expect(summary).toMatchObject({ id: 'session-1', cwd: '/home/ann/app', firstPrompt: 'hi', hasHeader: true });
  });

  it('finds the first prompt behind a long preamble', async () => {
    const build = session();
    for (let i = 0; i < 40; i++) build.entry('custom', { customType: 'state', data: 'x'.repeat(900) });
    expect((await summaryOf(padded(build.user('here')))).firstPrompt).toBe('here');
  });

  it('takes a name from the end over one from the beginning', async () => {
    const build = padded(session().user('hi').entry('session_info', { name: 'Old' })).entry('session_info', { name: 'New' });
    expect((await summaryOf(build, 'pi')).title).toBe('New');
  });

  it('has no name where the last one clears it', async () => {
    const build = padded(session().user('hi').entry('session_info', { name: 'Old' })).entry('session_info', { name: ' ' });
    expect((await summaryOf(build, 'pi')).title).toBeNull();
  });

  it('reads no more than the ends', async () => {
    let bytes = 0;
    const memory = memoryWith(padded(session().user('hi'), 4000).text());
    const disk = new FaultDisk(memory, (operation) => {
      if (operation === 'read') bytes++;
      return null;
    });
    const { root, file } = await onlySession(disk);
    await root.summarise(file);
    expect(file.sizeBytes).toBeGreaterThan(3_000_000);
    expect(bytes).toBeLessThan(12);
  });
});

describe('the summary of a large file whose lines are of another form', () => {
  const plain = (): SessionBuilder =>
    padded(session().user('First').entry('session_info', { name: 'Old' }))
      .entry('session_info', { name: 'New' })
      .call('c1')
      .result('c1', 'found');
  const FORMS: Record<string, (line: string) => string> = {
    'as agents write them': (line) => line,
    'with blanks': (line) => line.replace('{"type":', '{ "type" : '),
    'with the type last': (line) => {
      const { type, ...rest } = JSON.parse(line) as Record<string, unknown>;
      return JSON.stringify({ ...rest, type });
    },
    'with carriage returns': (line) => `${line}\r`,
    'with blank lines': (line) => `${line}\n`,
    'with damage behind each line': (line) => `${line}\n{"type":"message","id":`,
    'two records on a line': (line) => `${line}{"type":"custom","id":"x","parentId":null,"timestamp":"","customType":"x"}`,
  };

  it.each(Object.entries(FORMS))('%s: it says the same', async (_, form) => {
    const disk = new MemoryDisk();
    disk.writeFile('/s/one.jsonl', new TextEncoder().encode(`${plain().lines().map(form).join('\n')}\n`));
    const { root, file } = await onlySession(disk, '/s');
    const { id, cwd, title, firstPrompt, status, lastMessage, whole } = await root.summarise(file);
    const at = Date.parse((plain().entries().at(-2) as { timestamp: string }).timestamp);
    expect({ id, cwd, title, firstPrompt, status, lastMessage, whole }).toEqual({
      id: 'session-1',
      cwd: '/home/ann/app',
      title: null,
      firstPrompt: 'First',
      status: 'interrupted',
      lastMessage: at,
      whole: false,
    });
    const pi = await openRoot({ path: '/s', dialect: 'pi' }, disk);
    expect((await pi.summarise((await pi.scan()).sessions[0]!)).title).toBe('New');
  });

  it('a last line that is still being written says nothing', async () => {
    const [, ...torn] = plain().assistant('done').lines();
    const disk = memoryWith(`${session().lines()[0]!}\n${torn.join('\n').slice(0, -20)}`);
    const { root, file } = await onlySession(disk);
    expect((await root.summarise(file)).status).toBe('interrupted');
  });

  it('knows a file that is no session by its beginning up to 64 KiB', async () => {
    for (const [kilobytes, isSession] of [
      [20, false],
      [60, false],
      [70, true],
    ] as const) {
      const { root, file } = await onlySession(memoryWith('no session\n'.repeat((kilobytes * 1024) / 11)));
      expect(await root.summarise(file)).toMatchObject({ isSession, hasHeader: false });
    }
  });
});

describe('listing many files', () => {
  it('lets others have their turn in between', async () => {
    const { root, file } = await onlySession(memoryWith(session().user('hi').text()));
    let now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 5));
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns++;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    for (let i = 0; i < 20; i++) await root.summarise(file);
    isDone = true;
    clock.mockRestore();
    expect(turns).toBeGreaterThanOrEqual(5);
  });
});

describe('the summary of a small file', () => {
  it('is that of the whole file, problems included', async () => {
    const summary = await summaryOf(session().user('hi').raw('damaged').assistant('yo'));
    expect(summary).toMatchObject({
      whole: true,
      entryCount: 2,
      messageCount: 2,
      branchCount: 1,
      compactionCount: 0,
      status: 'complete',
    });
    expect(summary.problems).toMatchObject([{ code: 'bad_json', line: 3 }]);
  });

  it('rejects where the file is gone or cannot be read', async () => {
    const disk = memoryWith(session().text());
    const { root, file } = await onlySession(disk);
    disk.unlinkSync(file.path);
    await expect(root.summarise(file)).rejects.toMatchObject({ code: 'session_not_found' });
    const bad = new FaultDisk(memoryWith(session().text()), (operation) => (operation === 'read' ? { error: 'EIO' } : null));
    const locked = await onlySession(bad);
    await expect(locked.root.summarise(locked.file)).rejects.toMatchObject({ code: 'storage_io' });
  });
});

describe('loading a file', () => {
  it('gives nothing for a missing or empty file, or one without a header (oh-my-pi worked case 16, Pi 23)', () => {
    const base = temporaryFolder();
    writeFiles(base, { 'empty.jsonl': '', 'headerless.jsonl': session(null).user('hi').text(), 'text.jsonl': 'no session' });
    for (const name of ['missing.jsonl', 'empty.jsonl', 'headerless.jsonl', 'text.jsonl']) {
      expect(loadEntriesFromFile(path.join(base, name))).toEqual([]);
    }
  });

  it('gives the header, then the entries as they are stored', () => {
    const base = temporaryFolder();
    const build = session().user('项目').raw('bad').assistant('yo');
    writeFiles(base, { 'one.jsonl': build.text() });
    expect(loadEntriesFromFile(path.join(base, 'one.jsonl'))).toEqual([JSON.parse(build.lines()[0]!), ...build.entries()]);
  });

  it('throws what the disk says but for a missing file', () => {
    expect(() => loadEntriesFromFile(temporaryFolder())).toThrow();
  });

  it('reads whole sessions with bodies and problems; a missing one is an error', async () => {
    const base = temporaryFolder();
    const build = session().user('hi').raw('bad');
    writeFiles(base, { 'one.jsonl': build.text() });
    expect(await readSession(path.join(base, 'one.jsonl'))).toMatchObject({
      header: { id: 'session-1' },
      entries: build.entries(),
      problems: [{ code: 'bad_json' }],
    });
    await expect(readSession(path.join(base, 'none.jsonl'))).rejects.toMatchObject({ code: 'session_not_found' });
  });

  it('is the same for a large file and its parts (oh-my-pi worked case 20)', { timeout: 30_000 }, () => {
    const base = temporaryFolder();
    const small = session().user('a').assistant('b');
    const big = session();
    for (let i = 0; i < 2000; i++) big.user('word '.repeat(1000));
    writeFiles(base, { 'big.jsonl': big.text(), 'small.jsonl': small.text() });
    expect(loadEntriesFromFile(path.join(base, 'big.jsonl'))).toEqual([JSON.parse(big.lines()[0]!), ...big.entries()]);
    expect(loadEntriesFromFile(path.join(base, 'small.jsonl')).slice(1)).toEqual(small.entries());
  });

  it(
    'passes over a gap longer than any text can be, and finds what follows it (Pi worked case 25)',
    { timeout: 60_000 },
    async () => {
      const base = temporaryFolder();
      const [header, message] = session().user('after the gap').lines();
      writeFiles(base, { 'sparse.jsonl': `${header!}\n` });
      const file = openSync(path.join(base, 'sparse.jsonl'), 'r+');
      writeSync(file, `\n${message!}\n`, 600 * 1024 * 1024);
      closeSync(file);
      const { root, file: found } = await onlySession(new NodeDisk(), base);
      const reader = root.openReader(found);
      await reader.ready;
      expect(reader.outline.rowCount).toBe(1);
      expect(reader.problems).toMatchObject([{ code: 'line_too_long', line: 2 }]);
      expect((await reader.load([0]))[0]?.id).toBe('e1');
      reader.close();
    },
  );
});

describe('blobs', () => {
  const hash = 'f59bbda5b36ec8829c4b07c3a30a22db0d64b0b6ca47e3ee4a59a5a4c9b4bb1f';

  it('are found by hash beside the sessions, and checked', async () => {
    const disk = memoryWith(session().text(), '/agent/sessions/b/one.jsonl');
    const bytes = new TextEncoder().encode('bytes');
    const real = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
    disk.writeFile(`/agent/blobs/${real}`, bytes);
    disk.writeFile(`/agent/blobs/${hash}`, bytes);
    for (const at of ['/agent', '/agent/sessions', '/agent/sessions/b', '/agent/sessions/b/one.jsonl']) {
      const root = await openRoot({ path: at }, disk);
      expect(await root.blob(real)).toEqual(bytes);
      await expect(root.blob(hash)).rejects.toMatchObject({ code: 'blob_corrupt' });
      for (const none of ['0'.repeat(64), '../sessions/b/one.jsonl', real.toUpperCase(), ''])
        expect(await root.blob(none)).toBeUndefined();
    }
  });

  it('are none where sessions belong to no agent folder', async () => {
    const { root } = await onlySession(memoryWith(session().text(), '/flat/one.jsonl'), '/flat');
    expect(await root.blob('0'.repeat(64))).toBeUndefined();
    expect((await readerOf(memoryWith(session().text()))).problems).toEqual([]);
  });
});
