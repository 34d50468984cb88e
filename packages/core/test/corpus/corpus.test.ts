import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bucketName, generateCorpus, type CorpusOptions } from '../../src/corpus/index.ts';
import { byteLength, parse, type Parsed } from './records.ts';

interface Store {
  sessions: Map<string, Parsed>;
  blobs: Map<string, Uint8Array>;
}

function collect(options: CorpusOptions): Store {
  const store: Store = { sessions: new Map(), blobs: new Map() };
  for (const file of generateCorpus(options)) {
    if (file.bytes !== undefined) store.blobs.set(file.path, file.bytes);
    else store.sessions.set(file.path, parse(file.lines ?? []));
  }
  return store;
}

const isTop = (path: string): boolean => path.split('/').length === 3;

describe('a generated store (musepi)', () => {
  const { sessions, blobs } = collect({ seed: 8, sessions: 80, bytes: 12_000_000, shapes: 'musepi' });

  it('has the asked sessions and bytes', () => {
    expect([...sessions.keys()].filter(isTop)).toHaveLength(80);
    let bytes = 0;
    for (const { lines } of sessions.values()) bytes += byteLength(lines);
    expect(Math.abs(bytes / 12_000_000 - 1)).toBeLessThan(0.05);
  });

  it('files each session by its directory, time and id', () => {
    for (const [path, { header }] of sessions) {
      const [root, bucket, file] = path.split('/');
      expect(root).toBe('sessions');
      expect(bucket).toBe(bucketName('musepi', header.cwd, '/home/ada'));
      if (isTop(path)) expect(file).toBe(`${header.timestamp.replace(/[:.]/g, '-')}_${header.id}.jsonl`);
    }
  });

  it('has sessions of very different sizes', () => {
    const sizes = [...sessions].filter(([path]) => isTop(path)).map(([, { lines }]) => byteLength(lines));
    expect(Math.max(...sizes) / Math.min(...sizes)).toBeGreaterThan(15);
  });

  it('keeps every referred image as a blob named by its content', () => {
    const referred = new Set<string>();
    for (const { lines } of sessions.values()) {
      for (const found of lines.join('\n').matchAll(/blob:sha256:([0-9a-f]{64})/g)) referred.add(`blobs/${found[1] ?? ''}`);
    }
    expect(referred.size).toBeGreaterThan(3);
    expect(new Set(blobs.keys())).toEqual(referred);
    for (const [path, bytes] of blobs) expect(path).toBe(`blobs/${createHash('sha256').update(bytes).digest('hex')}`);
  });

  it('puts sub-sessions beside their session, with the task they were given', () => {
    const subs = [...sessions].filter(([path]) => !isTop(path));
    expect(subs.length).toBeGreaterThan(2);
    for (const [path, sub] of subs) {
      const parent = sessions.get(`${path.slice(0, path.lastIndexOf('/'))}.jsonl`);
      expect(parent?.header.id).toBe(sub.header.parentSession);
      expect(sub.entries[0]?.type).toBe('session_init');
      expect(parent?.lines.some((line) => line.includes('"name":"task"'))).toBe(true);
    }
  });

  it('links forks to a session whose entries they share', () => {
    const byId = new Map([...sessions.values()].map((session) => [session.header.id, session]));
    const forks = [...sessions].filter(([path, { header }]) => isTop(path) && header.parentSession !== undefined);
    expect(forks.length).toBeGreaterThan(2);
    for (const [, fork] of forks) {
      const parent = byId.get(fork.header.parentSession ?? '');
      expect(parent?.entries[0]?.id).toBe(fork.entries[0]?.id);
      expect(parent?.header.cwd).toBe(fork.header.cwd);
    }
  });

  it('uses a title slot of exactly 256 bytes in some files', () => {
    const slots = [...sessions.values()].map(({ lines }) => lines[0] ?? '').filter((line) => line.startsWith('{"type":"title"'));
    expect(slots.length).toBeGreaterThan(10);
    for (const slot of slots) expect(Buffer.byteLength(slot)).toBe(255);
  });
});

describe('generateCorpus', () => {
  it('writes pi sessions whose forks name a file', () => {
    const { sessions, blobs } = collect({ seed: 4, sessions: 60, bytes: 4_000_000, shapes: 'pi' });
    expect(blobs.size).toBe(0);
    const forks = [...sessions.values()].filter(({ header }) => header.parentSession !== undefined);
    expect(forks.length).toBeGreaterThan(0);
    for (const { header } of forks)
      expect(sessions.has((header.parentSession ?? '').replace('/home/ada/.pi/agent/', ''))).toBe(true);
    for (const path of sessions.keys()) expect(path).toMatch(/^sessions\/--home-ada-work-[^/]+--\/[^/]+\.jsonl$/);
  });

  it('keeps two agent folders apart', () => {
    const paths = [...generateCorpus({ seed: 4, sessions: 6, bytes: 60_000, shapes: 'both' })].map((file) => file.path);
    expect(paths.filter((path) => path.startsWith('musepi/sessions/')).length).toBeGreaterThanOrEqual(3);
    expect(paths.filter((path) => path.startsWith('pi/sessions/'))).toHaveLength(3);
  });

  it('is the same for the same seed', () => {
    const run = (seed: number): string[] => {
      const { sessions } = collect({ seed, sessions: 5, bytes: 100_000, shapes: 'both' });
      return [...sessions].flatMap(([path, { lines }]) => [path, ...lines]);
    };
    expect(run(1)).toEqual(run(1));
    expect(run(2)).not.toEqual(run(1));
  });
});
