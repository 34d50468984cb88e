import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';

const corpusMain = fileURLToPath(new URL('../../packages/core/dist/corpus/main.js', import.meta.url));

/** What the rows are measured on. Seeds and sizes are fixed: they change only by decision record. */
export const DATA = {
  session100: ['--entries', '50000', '--bytes', '100M', '--branches', '30', '--shapes', 'pi', '--seed', '100'],
  session1g: ['--entries', '420000', '--bytes', '1G', '--branches', '40', '--shapes', 'pi', '--seed', '101'],
  store550: ['--sessions', '1000', '--bytes', '550M', '--shapes', 'pi', '--seed', '102'],
  dsh100: ['--shapes', 'dsh', '--form', '0', '--sessions', '1', '--bytes', '179M', '--encoding', 'zstd', '--seed', '103'],
} as const satisfies Record<string, readonly string[]>;

export type DataName = keyof typeof DATA;

/** Folder with the generated data of one name; generated once and kept under the system's temporary folder. */
export function dataFolder(name: DataName): string {
  const args = DATA[name];
  const id = createHash('sha256').update(args.join(' ')).digest('hex').slice(0, 8);
  const base = path.join(tmpdir(), 'stemma-bench');
  const folder = path.join(base, `${name}-${id}`);
  if (!existsSync(folder)) {
    mkdirSync(base, { recursive: true });
    const fresh = `${folder}.new`;
    rmSync(fresh, { recursive: true, force: true });
    execFileSync(process.execPath, [corpusMain, '--out', fresh, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
    renameSync(fresh, folder);
  }
  return folder;
}

/** Every session file of a generated folder, sorted. */
export function sessionFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.jsonl(\.zstd)?$/.test(name))
    .sort()
    .map((name) => path.join(folder, name));
}
