import type { Batch } from '../dsh/options.ts';
import type { CorpusFile } from '../options.ts';
import { chinese, japanese, korean } from './asian.ts';
import { checkout } from './checkout.ts';
import { clocks } from './clocks.ts';
import { aborted, backup, failed, interrupted } from './endings.ts';
import { migration, overloaded, streamingExport } from './dsh-others.ts';
import { productSearch } from './dsh-search.ts';
import { importer } from './importer.ts';
import { darkMode, timeZone } from './plan.ts';
import { projectTales } from './projects.ts';
import { rateLimiter } from './rate-limiter.ts';
import { port } from './port.ts';
import { materialised, reports } from './reports.ts';
import type { Tale } from './tale.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The roots of the demo, as paths inside it. */
export const DEMO_ROOTS = [
  { path: 'musepi', dialect: 'musepi' },
  { path: 'pi', dialect: 'pi' },
  { path: 'projects', dialect: 'projects' },
  { path: 'dsh/sessions', dialect: 'dsh' },
] as const;

/** Makes a frame of the text of an append batch. */
export type FrameMaker = (text: Uint8Array) => Uint8Array;

export interface DemoFile {
  /** Relative to the demo's folder, with `/`. */
  path: string;
  bytes: Uint8Array;
  /** When the file was last written, epoch ms. */
  modified: number;
}

/**
 * The sessions shown where nobody has any yet: told by hand, the same at every call, ending before `now` (epoch ms).
 * One file is damaged on purpose. Blobs included.
 * `compress` makes the frames of the sessions that are stored compressed; without it they are stored as text.
 */
export function demoFiles(now: number, compress?: FrameMaker): DemoFile[] {
  const original = reports(now - 6 * DAY);
  const tales: Tale[] = [
    interrupted(now - 25 * MINUTE),
    rateLimiter(now - 3 * HOUR),
    chinese(now - 6 * HOUR),
    checkout(now - DAY - 2 * HOUR),
    importer(now - DAY - 6 * HOUR),
    ...clocks(now - 2 * DAY - HOUR),
    korean(now - 2 * DAY - 4 * HOUR),
    darkMode(now - 3 * DAY),
    failed(now - 4 * DAY),
    original,
    materialised(original, now - 5 * DAY),
    aborted(now - 8 * DAY),
    port(now - 13 * DAY),
    timeZone(now - 17 * DAY),
    japanese(now - 31 * DAY),
  ];
  const out: DemoFile[] = [];
  const blobs = new Map<string, Uint8Array>();
  for (const tale of tales) {
    out.push({ path: tale.path, bytes: encode(tale.text()), modified: tale.modified });
    for (const [hash, bytes] of tale.blobs) blobs.set(hash, bytes);
  }
  for (const tale of projectTales(now - 9 * HOUR)) out.push(inBatches(tale.path, tale.batches() ?? [], tale.modified, compress));
  const harness = [
    migration(now - 50 * MINUTE),
    streamingExport(now - 5 * HOUR),
    ...productSearch(now - DAY - 8 * HOUR),
    overloaded(now - 7 * DAY),
  ];
  for (const tale of harness) {
    out.push(inBatches(`dsh/sessions/${tale.path}`, tale.batches(), tale.modified, compress));
    for (const [hash, bytes] of tale.attachments) {
      out.push({ path: `dsh/attachments/v1/objects/${hash.slice(0, 2)}/${hash}`, bytes, modified: tale.modified });
    }
  }
  const broken = backup(now - 10 * DAY);
  out.push({ path: broken.path, bytes: damaged(broken.text()), modified: broken.modified });
  for (const [hash, bytes] of blobs) out.push({ path: `musepi/blobs/${hash}`, bytes, modified: now - DAY });
  return out;
}

/** `demoFiles` as the corpus writers take them. */
export function demoCorpus(now: number, compress?: FrameMaker): CorpusFile[] {
  return demoFiles(now, compress).map(({ path, bytes }) => ({ path, bytes }));
}

/** A line that another process began and never ended stands in the middle, and the last line is cut: no entry before it is lost. */
function damaged(lines: readonly string[]): Uint8Array {
  const half = (lines[6] as string).slice(0, 71);
  const last = lines.length - 1;
  const torn = (lines[last] as string).slice(0, 190);
  return new TextEncoder().encode([...lines.slice(0, 8), half, ...lines.slice(8, last), torn].join('\n'));
}

function inBatches(path: string, batches: readonly Batch[], modified: number, compress: FrameMaker | undefined): DemoFile {
  const parts = batches.map(encode);
  if (!path.endsWith('.zstd')) return { path, bytes: joined(parts), modified };
  if (compress === undefined) return { path: path.slice(0, -'.zstd'.length), bytes: joined(parts), modified };
  return { path, bytes: joined(parts.map(compress)), modified };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function encode(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(lines.map((line) => line + '\n').join(''));
}
