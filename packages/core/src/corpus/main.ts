import { parseArgs } from 'node:util';
import { bucketName, sessionFileName } from './base/paths.ts';
import { generateCorpus } from './corpus.ts';
import type { DshForm } from './dsh/options.ts';
import { generateDshStore } from './dsh/store.ts';
import { DEFAULT_HOME, type CorpusFile, type CorpusShape, type SessionOptions, type StoreEncoding } from './options.ts';
import { generateProjects } from './projects.ts';
import { generateSession, sessionIdentity } from './session/session.ts';
import { writeCorpus, type WriteProgress } from './write.ts';

const USAGE = `Usage: corpus --out DIR [--seed N] [--shapes musepi|pi|both|projects|dsh]
         [--sessions N] [--bytes SIZE]                          a store of many sessions (default 100)
         --entries N [--bytes SIZE] [--branches B] [--chain]    a store of one session
         --shapes projects|dsh [--encoding zstd|raw|mixed]      project directories, or logs of DeepSeek Harness
         --form 0|2|4                                           with dsh: only that format
SIZE takes K, M or G (powers of 1024). DIR must be empty or missing.
`;

/** `512`, `64K`, `1.5G` → bytes. */
function parseSize(text: string): number {
  const found = /^(\d+(?:\.\d+)?)\s*([kmg]?)i?b?$/i.exec(text);
  if (found === null) throw new Error(`not a size: ${text}`);
  return Math.round(Number(found[1]) * 1024 ** ' kmg'.indexOf((found[2] || ' ').toLowerCase()));
}

function parseCount(text: string): number {
  const n = Number(text);
  if (!Number.isSafeInteger(n) || n < 1) throw new Error(`not a positive whole number: ${text}`);
  return n;
}

function parseEncoding(text: string): StoreEncoding | 'mixed' {
  if (text === 'zstd' || text === 'raw' || text === 'mixed') return text;
  throw new Error(`unknown encoding: ${text}`);
}

function parseForm(text: string): DshForm {
  const form = Number(text);
  if (form === 0 || form === 2 || form === 4) return form;
  throw new Error(`unknown format: ${text}`);
}

function otherStore(
  shapes: 'projects' | 'dsh',
  store: { seed: number; sessions: number; bytes?: number },
  values: { encoding?: string | undefined; form?: string | undefined },
): Iterable<CorpusFile> {
  const encoding = parseEncoding(values.encoding ?? 'zstd');
  if (shapes === 'projects') return generateProjects({ ...store, encoding });
  return generateDshStore({ ...store, encoding, ...(values.form === undefined ? {} : { forms: [parseForm(values.form)] }) });
}

function* oneSession(options: SessionOptions): Generator<CorpusFile, void, undefined> {
  const blobs = new Map<string, Uint8Array>();
  const cwd = `${DEFAULT_HOME}/work/api`;
  const { id, time } = sessionIdentity(options);
  const path = `sessions/${bucketName(options.shapes, cwd, DEFAULT_HOME)}/${sessionFileName(time, id)}`;
  yield { path, lines: generateSession({ ...options, cwd, onBlob: (hash, bytes) => blobs.set(hash, bytes) }) };
  for (const [hash, bytes] of blobs) yield { path: `blobs/${hash}`, bytes };
}

function plan(argv: string[]): { out: string; files: Iterable<CorpusFile>; bytes: number | undefined } | null {
  const { values } = parseArgs({
    args: argv.filter((arg) => arg !== '--'),
    options: {
      out: { type: 'string' },
      seed: { type: 'string', default: '1' },
      shapes: { type: 'string', default: 'musepi' },
      sessions: { type: 'string' },
      bytes: { type: 'string' },
      entries: { type: 'string' },
      branches: { type: 'string' },
      encoding: { type: 'string' },
      form: { type: 'string' },
      chain: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  if (values.out === undefined) throw new Error('--out is missing');
  const seed = Number(values.seed);
  if (!Number.isSafeInteger(seed)) throw new Error(`not a whole number: ${values.seed}`);
  const shapes = values.shapes;
  const bytes = values.bytes === undefined ? undefined : parseSize(values.bytes);
  const size = bytes === undefined ? {} : { bytes };
  const isOne = values.entries !== undefined || values.branches !== undefined || values.chain;
  const sessions = parseCount(values.sessions ?? '100');
  if (shapes === 'projects' || shapes === 'dsh') {
    if (isOne) throw new Error(`--entries, --branches and --chain do not go with --shapes ${shapes}`);
    return { out: values.out, bytes, files: otherStore(shapes, { seed, sessions, ...size }, values) };
  }
  if (values.encoding !== undefined || values.form !== undefined)
    throw new Error('--encoding and --form go with --shapes projects or dsh');
  if (shapes !== 'musepi' && shapes !== 'pi' && shapes !== 'both') throw new Error(`unknown shapes: ${shapes}`);
  if (!isOne) {
    return { out: values.out, bytes, files: generateCorpus({ seed, sessions, shapes, ...size }) };
  }
  if (values.sessions !== undefined) throw new Error('--sessions goes with --bytes only');
  if (shapes === 'both') throw new Error('one session has one kind of shapes');
  const one: SessionOptions = { seed, shapes: shapes satisfies CorpusShape, ...size, chain: values.chain };
  if (values.entries !== undefined) one.entries = parseCount(values.entries);
  if (values.branches !== undefined) one.branches = parseCount(values.branches);
  return { out: values.out, bytes, files: oneSession(one) };
}

/** One line on stderr, rewritten in place at most every half second. */
function reporter(total: number | undefined): (progress: WriteProgress) => void {
  let last = 0;
  return ({ files, bytes }) => {
    const now = performance.now();
    if (!process.stderr.isTTY || now - last < 500) return;
    last = now;
    const share = total === undefined ? '' : ` of ${(total / 1e6).toFixed(0)}`;
    process.stderr.write(`\r${files} files, ${(bytes / 1e6).toFixed(0)}${share} MB `);
  };
}

try {
  const planned = plan(process.argv.slice(2));
  if (planned === null) process.stdout.write(USAGE);
  else {
    const started = performance.now();
    const { files, bytes } = await writeCorpus(planned.out, planned.files, reporter(planned.bytes));
    const seconds = (performance.now() - started) / 1000;
    process.stderr.write(`\r${files} files, ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s: ${planned.out}\n`);
  }
} catch (error) {
  // Wrong arguments, a folder that is not empty, or a full disk: one sentence, no stack.
  process.stderr.write(`corpus: ${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  process.exitCode = 1;
}
