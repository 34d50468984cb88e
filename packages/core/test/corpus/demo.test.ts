import { describe, expect, it } from 'vitest';
import { DEMO_ROOTS, demoCorpus, demoFiles } from '../../src/corpus/index.ts';
import { leaves, parse, type Parsed } from './records.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const files = demoFiles(NOW);
const texts = new Map(
  files
    .filter(({ path }) => /^(musepi|pi)\/.*\.jsonl$/.test(path))
    .map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]),
);

/** Lines that are not JSON, and the session that the others make. */
function read(text: string): Parsed & { bad: number } {
  const lines = text.split('\n').filter((line) => line !== '');
  const good = lines.filter((line) => {
    try {
      JSON.parse(line);
      return true;
    } catch {
      // A damaged line is what the demo wants to show.
      return false;
    }
  });
  return { ...parse(good), bad: lines.length - good.length };
}

const sessions = [...texts].map(([path, text]) => ({ path, text, ...read(text) }));
const titled = (part: string): (typeof sessions)[number] => {
  const found = sessions.find(({ lines }) => lines.some((line) => line.includes(part)));
  if (found === undefined) throw new Error(`no session ${part}`);
  return found;
};

describe('the demo', () => {
  it('has at least 14 sessions, several projects and both shapes', () => {
    expect(sessions.length).toBeGreaterThanOrEqual(14);
    expect(new Set(sessions.map(({ header }) => header.cwd)).size).toBeGreaterThanOrEqual(5);
    for (const { path } of DEMO_ROOTS) expect(files.some((file) => file.path.startsWith(`${path}/`))).toBe(true);
  });

  it('is the same at every call and ends before now', () => {
    const again = demoFiles(NOW);
    expect(again.map(({ path, modified }) => [path, modified])).toEqual(files.map(({ path, modified }) => [path, modified]));
    for (const [i, { bytes }] of again.entries()) expect(Buffer.compare(bytes, files[i]?.bytes ?? Buffer.alloc(0))).toBe(0);
    expect(demoCorpus(NOW).map(({ path }) => path)).toEqual(files.map(({ path }) => path));
    for (const { modified } of files) expect(modified).toBeLessThanOrEqual(NOW);
    for (const { entries } of sessions)
      for (const { timestamp } of entries) expect(Date.parse(timestamp)).toBeLessThanOrEqual(NOW);
  });

  it('has sound sessions: unique ids, parents before children, calls before results, time forward', () => {
    for (const { entries } of sessions) {
      const seen = new Set<string>();
      const calls = new Set<string>();
      let before = '';
      for (const { id, parentId, message, timestamp, targetId } of entries) {
        expect(seen.has(id)).toBe(false);
        for (const other of [parentId, targetId]) if (typeof other === 'string') expect(seen.has(other)).toBe(true);
        expect(timestamp >= before).toBe(true);
        before = timestamp;
        seen.add(id);
        if (Array.isArray(message?.content))
          for (const block of message.content) if (block.type === 'toolCall') calls.add(block.id ?? '');
        if (message?.role === 'toolResult') expect(calls.has(message.toolCallId ?? '')).toBe(true);
      }
    }
  });

  it('shows branches, compactions, labels, an error, an abort, an open call, forks and sub-sessions', () => {
    expect(leaves(titled('Rate limit').entries)).toBe(3);
    expect(titled('Import large CSV').entries.filter(({ type }) => type === 'compaction')).toHaveLength(2);
    expect(titled('Monthly report takes').entries.filter(({ type }) => type === 'label').length).toBeGreaterThan(3);
    expect(titled('Release notes').entries.at(-1)?.message?.stopReason).toBe('error');
    expect(titled('Rename the config').entries.at(-1)?.message?.stopReason).toBe('aborted');
    expect(titled('Why is the build slow').text).toContain('npm run build"}}],"api"');
    expect(titled('materialised').header.parentSession).toContain(titled('Monthly report takes').path.replace('pi/', ''));
    expect(titled('materialised').entries[3]).toEqual(titled('Monthly report takes').entries[3]);
    expect(sessions.filter(({ path }) => path.split('/').length === 5)).toHaveLength(2);
    expect(titled('修复登录').text).toContain('会话');
    expect(titled('검색').text).toContain('사람');
    expect(titled('Port the parser').entries.length).toBeGreaterThan(3000);
    expect(leaves(titled('Port the parser').entries)).toBeGreaterThan(5);
  });

  it('has one damaged file, whose readable entries are all connected', () => {
    const damaged = sessions.filter(({ bad }) => bad > 0);
    expect(damaged).toHaveLength(1);
    expect(damaged[0]?.bad).toBe(2);
    expect(damaged[0]?.text.endsWith('\n')).toBe(false);
    for (const { bad, text } of sessions) if (bad === 0) expect(text.endsWith('\n')).toBe(true);
  });

  it('has the blobs that its images refer to', () => {
    const paths = new Set(files.map(({ path }) => path));
    for (const { path, text } of sessions) {
      for (const found of text.matchAll(/blob:sha256:([0-9a-f]{64})/g))
        expect(paths.has(`musepi/blobs/${found[1] ?? ''}`)).toBe(true);
      if (path.startsWith('pi/')) expect(text).not.toContain('blob:sha256:');
    }
    expect([...paths].some((path) => path.startsWith('musepi/blobs/'))).toBe(true);
  });

  it('has sessions in project directories and of DeepSeek Harness, one frame a batch where they are compressed', () => {
    const frames: string[] = [];
    const stored = demoFiles(NOW, (text) => {
      frames.push(new TextDecoder().decode(text));
      return text;
    });
    const others = stored.filter(({ path }) => /^(projects|dsh\/sessions)\//.test(path));
    expect(others.map(({ path }) => path.replace(/.*\//, '')).sort()).toEqual([
      'session.jsonl',
      'session.jsonl.zstd',
      'session.jsonl.zstd',
      'session.jsonl.zstd',
      'session.jsonl.zstd',
      'session.v2.jsonl.zstd',
      'session.v4.jsonl.zstd',
      'session.v4.jsonl.zstd',
    ]);
    for (const frame of frames) expect(frame.endsWith('\n')).toBe(true);
    for (const { path, bytes, modified } of others) {
      const [header = ''] = new TextDecoder().decode(bytes).split('\n');
      if (path.endsWith('.zstd')) expect(frames).toContain(`${header}\n`);
      expect(path.split('/').at(-2)).toBe((JSON.parse(header) as { id: string }).id);
      expect(modified).toBeLessThanOrEqual(NOW);
      const raw = files.find((file) => file.path === path.replace(/\.zstd$/, ''));
      expect(Buffer.compare(bytes, raw?.bytes ?? Buffer.alloc(0))).toBe(0);
    }
  });

  it('has the attachments that its DeepSeek Harness sessions refer to', () => {
    const paths = new Set(files.map(({ path }) => path));
    const texts = files
      .filter(({ path }) => path.startsWith('dsh/sessions/'))
      .map(({ bytes }) => new TextDecoder().decode(bytes));
    const referred = [...texts.join('').matchAll(/"attachmentId":"sha256:([0-9a-f]{64})"/g)].map(([, hash = '']) => hash);
    expect(referred.length).toBeGreaterThan(0);
    for (const hash of referred) expect(paths).toContain(`dsh/attachments/v1/objects/${hash.slice(0, 2)}/${hash}`);
  });
});
