import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { freePort } from '../support/free-port.ts';

const WORKSPACE = path.resolve(import.meta.dirname, '../..');

/** The sessions that are measured, by the name of their folder. */
export const SESSIONS = {
  '50,000 entries, 100 MB': ['--entries', '50000', '--bytes', '100M'],
  'a chain of 60,000': ['--entries', '60000', '--bytes', '20M', '--chain'],
  '20,000 entries, 500 branches': ['--entries', '20000', '--bytes', '10M', '--branches', '500'],
} as const;

export interface BenchServer {
  url: string;
  /** Keys of the sessions, in the order of `SESSIONS`. */
  keys: string[];
  close(): void;
}

interface Row {
  key: string;
  rootId: string;
  sizeBytes: number;
}

/** Generates the sessions and serves them; with `BENCH_URL` a server that has them already. */
export async function serveSessions(): Promise<BenchServer> {
  const given = process.env['BENCH_URL'];
  if (given !== undefined) return { url: given, keys: await largestKeys(given), close: () => undefined };
  const folder = mkdtempSync(path.join(tmpdir(), 'stemma-page-bench-'));
  const roots = Object.values(SESSIONS).map((options, index) => {
    const out = path.join(folder, String(index));
    const generator = path.join(WORKSPACE, 'packages/core/dist/corpus/main.js');
    execFileSync(process.execPath, [generator, '--out', out, '--seed', '7', ...options], { stdio: 'ignore' });
    return out;
  });
  const port = await freePort();
  const args = ['--no-open', '--port', String(port), ...roots.flatMap((root) => ['--root', root])];
  const env = { ...process.env, HOME: folder };
  const server = spawn(process.execPath, [path.join(WORKSPACE, 'apps/cli/dist/main.js'), ...args], { stdio: 'ignore', env });
  const close = (): void => {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${String(port)}`;
  try {
    return { url, keys: await largestKeys(url), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** The largest session of each root, roots in the order in which they were given; waits until all are listed. */
async function largestKeys(url: string): Promise<string[]> {
  const wanted = Object.keys(SESSIONS).length;
  for (let attempt = 0; attempt < 300; attempt++) {
    const rows = await rowsOf(url);
    const largest = new Map<string, Row>();
    for (const row of rows) {
      const other = largest.get(row.rootId);
      if (other === undefined || other.sizeBytes < row.sizeBytes) largest.set(row.rootId, row);
    }
    // By size: the generator's sizes are far apart, and differ from the order of the roots in nothing.
    const keys = [...largest.values()].toSorted((a, b) => b.sizeBytes - a.sizeBytes).map((row) => row.key);
    if (keys.length === wanted) return keys;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${url} does not list the sessions`);
}

async function rowsOf(url: string): Promise<Row[]> {
  try {
    const answer = await fetch(`${url}/api/sessions?limit=500`);
    return answer.ok ? ((await answer.json()) as { items: Row[] }).items : [];
  } catch (error) {
    // Until the server listens.
    if (error instanceof TypeError) return [];
    throw error;
  }
}
