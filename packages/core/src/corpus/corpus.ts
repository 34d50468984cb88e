import { bucketName, sessionFileName } from './base/paths.ts';
import { Random } from './base/random.ts';
import { sessionSizes } from './base/sizes.ts';
import {
  DEFAULT_HOME,
  DEFAULT_TIME,
  type CorpusFile,
  type CorpusOptions,
  type CorpusShape,
  type SessionOptions,
} from './options.ts';
import { generateSession, sessionIdentity } from './session/session.ts';
import { subSessionTask } from './text/prompts.ts';
import { zipfWord } from './text/vocabulary.ts';

/** Bytes of a session when only their number is given. */
const USUAL_SESSION = 300_000;
const DAY = 86_400_000;

interface Planned {
  options: SessionOptions;
  path: string;
  /** The sessions that this one starts; they take part of its bytes. */
  subs: SessionOptions[];
}

/**
 * The files of one agent folder (`sessions/<bucket>/…`, `blobs/…`), or with `both` of two: `musepi/…` and `pi/…`.
 * Sizes are log-normal around `bytes / sessions`. One session in twelve is a fork of an earlier one, one in ten of the
 * musepi ones has sub-sessions. Lazy and deterministic; a session's `lines` must be read before the next file is
 * taken, because its images follow it. Throws a RangeError when no session is asked for.
 */
export function* generateCorpus(options: CorpusOptions): Generator<CorpusFile, void, undefined> {
  if (!(options.sessions >= 1)) throw new RangeError(`a corpus has at least one session, got ${options.sessions}`);
  const random = new Random(options.seed, 10);
  const projects = makeProjects(random, Math.max(3, Math.ceil(Math.sqrt(options.sessions))));
  const sizes = sessionSizes(random, options.sessions, options.bytes ?? options.sessions * USUAL_SESSION);
  const known: Record<CorpusShape, Planned[]> = { musepi: [], pi: [] };
  const blobs = new Set<string>();
  for (const [i, bytes] of sizes.entries()) {
    const shapes = options.shapes === 'both' ? (i % 2 === 0 ? 'musepi' : 'pi') : options.shapes;
    const planned = plan(random, options, shapes, i, bytes, projects, known[shapes]);
    remember(known[shapes], planned, random);
    yield* sessionFiles(planned, blobs);
  }
}

function plan(
  random: Random,
  corpus: CorpusOptions,
  shapes: CorpusShape,
  index: number,
  bytes: number,
  projects: readonly string[],
  known: readonly Planned[],
): Planned {
  const { home = DEFAULT_HOME, time = DEFAULT_TIME, days = 300 } = corpus;
  const start = time + Math.floor((index / corpus.sessions) * days) * DAY + random.below(10 * 3_600_000);
  const top = corpus.shapes === 'both' ? `${shapes}/` : '';
  const fresh: SessionOptions = {
    seed: random.uint(),
    shapes,
    bytes,
    time: start,
    home,
    cwd: `${home}/work/${random.pick(projects)}`,
  };
  const parent = random.chance(0.08) && known.length > 0 ? random.pick(known) : undefined;
  const options = parent === undefined ? fresh : forkOf(parent, fresh, `${home}/.${shapes}/agent/`, random);
  const subs =
    shapes === 'musepi' && parent === undefined && random.chance(0.1) ? subSessions(options, bytes, random.range(1, 3)) : [];
  const { id } = sessionIdentity(options);
  const file = sessionFileName(start, id);
  return { options, subs, path: `${top}sessions/${bucketName(shapes, options.cwd ?? home, home)}/${file}` };
}

/** MusePi names the parent of a fork by its id, Pi by the path of its file. */
function forkOf(parent: Planned, fresh: SessionOptions, agentDir: string, random: Random): SessionOptions {
  const of = parent.options;
  const parentSession = fresh.shapes === 'musepi' ? sessionIdentity(of).id : agentDir + parent.path.replace(/^pi\//, '');
  return { ...fresh, cwd: of.cwd ?? DEFAULT_HOME, parentSession, forkOf: { options: of, after: random.range(4, 60) } };
}

/** Plans `count` sub-sessions, of which each takes an eighth of the session's `bytes`. */
function subSessions(options: SessionOptions, bytes: number, count: number): SessionOptions[] {
  const { seed, shapes, time = DEFAULT_TIME, home = DEFAULT_HOME, cwd = home } = options;
  const parentSession = sessionIdentity(options).id;
  const share = Math.round(bytes / 8);
  options.subSessions = count;
  options.bytes = bytes - share * count;
  return Array.from({ length: count }, (_, n) => {
    const task = subSessionTask(seed, n);
    return { seed: seed + n + 1, shapes, bytes: share, time: time + 60_000, home, cwd, parentSession, chain: true, task };
  });
}

function remember(known: Planned[], planned: Planned, random: Random): void {
  if (planned.options.forkOf !== undefined) return;
  if (known.length < 64) known.push(planned);
  else known[random.below(64)] = planned;
}

function* sessionFiles({ options, path, subs }: Planned, blobs: Set<string>): Generator<CorpusFile, void, undefined> {
  const found = new Map<string, Uint8Array>();
  const onBlob = (hash: string, bytes: Uint8Array): void => {
    if (!blobs.has(hash)) found.set(hash, bytes);
  };
  yield { path, lines: generateSession({ ...options, onBlob }) };
  for (const [n, sub] of subs.entries()) {
    yield { path: `${path.replace(/\.jsonl$/, '')}/${n}.jsonl`, lines: generateSession({ ...sub, onBlob }) };
  }
  const top = path.slice(0, path.indexOf('sessions/'));
  for (const [hash, bytes] of found) {
    blobs.add(hash);
    yield { path: `${top}blobs/${hash}`, bytes };
  }
}

function makeProjects(random: Random, count: number): string[] {
  const out = ['api', 'web', 'data-tools'];
  while (out.length < count) out.push(`${zipfWord(random)}-${zipfWord(random)}`);
  return out;
}
