import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decompressFrame } from '../../src/codec/zstd/engine.ts';
import { scanFrame } from '../../src/codec/zstd/frames.ts';
import { generateCorpus, generateDshStore, generateSession, writeCorpus, type CorpusFile } from '../../src/corpus/index.ts';
import { leaves, parse } from './records.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'stemma-corpus-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

describe('writeCorpus', () => {
  it('writes the files of a corpus, each line ended, dated by its newest entry', async () => {
    const options = { seed: 3, sessions: 4, bytes: 900_000, shapes: 'musepi' } as const;
    const progress = await writeCorpus(join(dir, 'store'), generateCorpus(options));
    for (const file of generateCorpus(options)) {
      const path = join(dir, 'store', file.path);
      if (file.lines === undefined) continue;
      const lines = [...file.lines];
      expect(readFileSync(path, 'utf8')).toBe(lines.map((line) => `${line}\n`).join(''));
      const newest = JSON.parse(lines.at(-1) ?? '') as { timestamp: string };
      expect(Math.round(statSync(path).mtimeMs)).toBe(Date.parse(newest.timestamp));
    }
    expect(progress.bytes).toBeGreaterThan(800_000);
  });

  it('writes each batch of a compressed session as a frame, dated by its newest event', async () => {
    const file = [...generateDshStore({ seed: 6, sessions: 1, bytes: 40_000, encoding: 'zstd', forms: [0] })][0] as CorpusFile;
    const batches = [...(file.batches ?? [])].map((batch) => batch.map((line) => `${line}\n`).join(''));
    await writeCorpus(
      join(dir, 'store'),
      generateDshStore({ seed: 6, sessions: 1, bytes: 40_000, encoding: 'zstd', forms: [0] }),
    );
    const path = join(dir, 'store', file.path);
    const bytes = readFileSync(path);
    const found: string[] = [];
    for (let at = 0; at < bytes.length;) {
      const scan = scanFrame(bytes, at);
      if (scan.kind !== 'frame') throw new Error(`no frame at ${at}`);
      expect(scan.frame.header.hasChecksum).toBe(true);
      found.push(new TextDecoder().decode(decompressFrame(bytes.subarray(at, at + scan.frame.length))));
      at += scan.frame.length;
    }
    expect(found).toEqual(batches);
    expect(found.length).toBeGreaterThan(20);
    const times = /"time":(\d+)/.exec(batches.at(-1)?.trimEnd().split('\n').at(-1) ?? '');
    expect(Math.round(statSync(path).mtimeMs)).toBe(Number(times?.[1]));
  });

  it('refuses a folder with something in it and leaves it alone', async () => {
    writeFileSync(join(dir, 'mine.txt'), 'x');
    await expect(writeCorpus(dir, [{ path: 'a.jsonl', lines: ['{}'] }])).rejects.toThrow('not empty');
    expect(readdirSync(dir)).toEqual(['mine.txt']);
  });
});

describe('the command', () => {
  const main = fileURLToPath(new URL('../../src/corpus/main.ts', import.meta.url));
  const run = (...args: string[]): { status: number | null; stderr: string } =>
    spawnSync(process.execPath, ['--import', 'tsx', main, ...args], { encoding: 'utf8' });

  it('writes one session with branches', { timeout: 30_000 }, () => {
    const out = join(dir, 'one');
    const { status } = run('--entries', '3000', '--branches', '40', '--shapes', 'pi', '--seed', '5', '--out', out);
    expect(status).toBe(0);
    const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.jsonl'));
    expect(files).toHaveLength(1);
    const lines = readFileSync(join(out, files[0] ?? ''), 'utf8')
      .trimEnd()
      .split('\n');
    const { entries } = parse(lines);
    expect(entries).toHaveLength(3000);
    expect(leaves(entries)).toBe(40);
    expect(lines).toEqual([
      ...generateSession({ seed: 5, shapes: 'pi', entries: 3000, branches: 40, cwd: '/home/ada/work/api' }),
    ]);
  });

  it('writes compressed project directories', { timeout: 30_000 }, () => {
    const out = join(dir, 'projects');
    expect(run('--shapes', 'projects', '--sessions', '3', '--bytes', '90K', '--out', out).status).toBe(0);
    const logs = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('session.jsonl.zstd'));
    expect(logs).toHaveLength(3);
    expect(run('--shapes', 'dsh', '--chain', '--out', join(dir, 'x')).stderr).toMatch(
      /^corpus: --entries, --branches and --chain/,
    );
  });

  it('says in one line what is wrong', { timeout: 30_000 }, () => {
    const { status, stderr } = run('--bytes', 'lots', '--out', join(dir, 'x'));
    expect(status).toBe(1);
    expect(stderr).toMatch(/^corpus: not a size: lots\n/);
    expect(readdirSync(dir)).toEqual([]);
  });
});
