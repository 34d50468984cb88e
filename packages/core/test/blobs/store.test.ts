import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { checkBlobs, openRoot, readSession, type BlobState, type SessionMessageEntry } from '../../src/index.ts';
import { FaultDisk } from '../../src/disk/fault-disk.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { FileBlobs } from '../../src/blobs/file-blobs.ts';
import { session, type SessionBuilder } from '../../src/testing/index.ts';
import { decode } from '../support/decode.ts';

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const GOOD = new Uint8Array([1, 2, 3]);
/** Larger than what is read at once. */
const LARGE = new Uint8Array(700_000).fill(7);
const BAD = hashOf(new Uint8Array([9]));
const GONE = '0'.repeat(64);

const image = (hash: string): { type: 'image'; data: string; mimeType: string } => ({
  type: 'image',
  data: `blob:sha256:${hash}`,
  mimeType: 'image/png',
});

/** e1 refers to two blobs, e2 and e3 to none, e4 in its details, e5 in what a compaction keeps. */
const references = (): SessionBuilder =>
  session()
    .user([image(hashOf(GOOD)), image(GONE)])
    .user(`blob:sha256:${GONE}`)
    .assistant('fine')
    .result('c1', 'x', { details: { images: [image(BAD), image(BAD)] } })
    .compaction('short', 'e1', { preserveData: { frames: [image(GONE)], url: { image_url: `blob:sha256:${hashOf(LARGE)}` } } });

function disk(): MemoryDisk {
  const memory = new MemoryDisk();
  memory.writeFile(`/agent/blobs/${hashOf(GOOD)}`, GOOD);
  memory.writeFile(`/agent/blobs/${hashOf(LARGE)}`, LARGE);
  memory.writeFile(`/agent/blobs/${BAD}`, GOOD);
  memory.writeFile('/agent/sessions/-app/one.jsonl', references().bytes());
  return memory;
}

describe('the outline', () => {
  it('knows the blobs of its rows without their bodies', () => {
    const { outline } = decode(references());
    expect([...outline.blobRows()].map((row) => [outline.id(row), outline.blobs(row)])).toEqual([
      ['e1', [hashOf(GOOD), GONE]],
      ['e4', [BAD, BAD]],
      ['e5', [hashOf(LARGE), GONE].sort((a) => (a === GONE ? 1 : -1))],
    ]);
    expect(outline.blobs(1)).toEqual([]);
  });
});

describe('blobState', () => {
  it.each<[string, BlobState]>([
    [hashOf(GOOD), 'present'],
    [hashOf(LARGE), 'present'],
    [BAD, 'corrupt'],
    [GONE, 'missing'],
    ['../sessions/-app/one.jsonl', 'missing'],
  ])('%s is %s', async (hash, expected) => {
    expect(await new FileBlobs(disk(), '/agent/blobs').blobState(hash)).toBe(expected);
  });

  it('is unreadable where the disk fails', async () => {
    const faulty = new FaultDisk(disk(), (operation) => (operation === 'read' ? { error: 'EIO' } : null));
    const state = await new FileBlobs(faulty, '/agent/blobs').blobState(hashOf(GOOD));
    expect(state).toBe('unreadable');
  });
});

describe('checkBlobs', () => {
  it('names every entry whose blob is not there or damaged', async () => {
    const root = await openRoot({ path: '/agent' }, disk());
    const { items, total } = await checkBlobs(decode(references()).outline, root);
    expect(items.map(({ code, severity, entryId, line }) => [code, severity, entryId, line])).toEqual([
      ['blob_missing', 'warning', 'e1', 2],
      ['blob_corrupt', 'error', 'e4', 5],
      ['blob_missing', 'warning', 'e5', 6],
    ]);
    expect(total).toBe(3);
  });

  it('asks for each blob once', async () => {
    const asked: string[] = [];
    const { outline } = decode(references());
    await checkBlobs(outline, { blobState: (hash) => (asked.push(hash), Promise.resolve('present' as const)) });
    expect(asked.sort()).toEqual([hashOf(GOOD), GONE, BAD, hashOf(LARGE)].sort());
  });

  it('stops when it is told to', async () => {
    const abort = new AbortController();
    const checking = checkBlobs(
      decode(references()).outline,
      { blobState: () => (abort.abort(), Promise.resolve('present' as const)) },
      abort.signal,
    );
    await expect(checking).rejects.toThrow(/abort/i);
  });

  it('finds nothing where nothing is kept apart', async () => {
    const { items } = await checkBlobs(decode(session().user('hi')).outline, { blobState: () => Promise.resolve('missing') });
    expect(items).toEqual([]);
  });

  it('finds all of them missing in a root that has no place for blobs', async () => {
    const memory = new MemoryDisk();
    memory.writeFile('/flat/one.jsonl', references().bytes());
    const root = await openRoot({ path: '/flat' }, memory);
    const { items } = await checkBlobs(decode(references()).outline, root);
    expect(items.map(({ code, entryId }) => `${code} ${entryId!}`)).toEqual([
      'blob_missing e1',
      'blob_missing e1',
      'blob_missing e4',
      'blob_missing e5',
      'blob_missing e5',
    ]);
  });
});

describe('readSession', () => {
  function file(builder: SessionBuilder): string {
    const folder = mkdtempSync(path.join(tmpdir(), 'stemma-blobs-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const at = path.join(folder, 'one.jsonl');
    writeFileSync(at, builder.bytes());
    return at;
  }

  it('puts blobs back when it is given them', async () => {
    const root = await openRoot({ path: '/agent' }, disk());
    const { entries, problems } = await readSession(file(references()), { blobs: (hash) => root.blob(hash) });
    const content = (entries[0] as SessionMessageEntry).message.content;
    expect(content).toEqual([{ type: 'image', data: 'AQID', mimeType: 'image/png' }, image(GONE)]);
    expect((entries[1] as SessionMessageEntry).message.content).toBe(`blob:sha256:${GONE}`);
    expect(problems.map(({ code, entryId, line }) => [code, entryId, line])).toEqual([
      ['blob_missing', 'e1', 2],
      ['blob_corrupt', 'e4', 5],
      ['blob_missing', 'e5', 6],
    ]);
  });

  it('leaves references without them', async () => {
    const { entries, problems } = await readSession(file(references()));
    expect((entries[0] as SessionMessageEntry).message.content).toEqual([image(hashOf(GOOD)), image(GONE)]);
    expect(problems).toEqual([]);
  });
});
