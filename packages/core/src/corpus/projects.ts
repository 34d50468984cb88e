import { Random } from './base/random.ts';
import { sessionSizes } from './base/sizes.ts';
import { sha256Hex } from './base/sha256.ts';
import { DEFAULT_HOME, DEFAULT_TIME, type CorpusFile, type SessionOptions, type StoreEncoding } from './options.ts';
import { generateSession, sessionIdentity } from './session/session.ts';
import { logFileName, projectKey, sessionSegment } from '../shapes/projects.ts';

const DAY = 86_400_000;
const USUAL_SESSION = 200_000;

export interface ProjectsOptions {
  seed: number;
  sessions: number;
  /** About this many bytes of text over all sessions. Default: 200 KB a session. */
  bytes?: number;
  encoding: StoreEncoding | 'mixed';
  time?: number;
  days?: number;
  home?: string;
}

/** The folder of a session in a root of project directories. Throws a RangeError for a nameless working directory. */
export function projectFolder(id: string, cwd: string): string {
  const key = projectKey(cwd);
  if (key === null) throw new RangeError('a working directory has a name');
  return `${key}/${sessionSegment(id, (text) => sha256Hex(new TextEncoder().encode(text)))}`;
}

/**
 * The files of a root of project directories with sessions in MusePi's form, each with its own blobs. Lazy; a session's
 * batches must be read before the next file is taken. Throws a RangeError when no session is asked for.
 */
export function* generateProjects(options: ProjectsOptions): Generator<CorpusFile, void, undefined> {
  const { seed, sessions, bytes = sessions * USUAL_SESSION, time = DEFAULT_TIME, days = 200, home = DEFAULT_HOME } = options;
  if (!(sessions >= 1)) throw new RangeError(`a store has at least one session, got ${sessions}`);
  const random = new Random(seed, 31);
  for (const [i, size] of sessionSizes(random, sessions, bytes).entries()) {
    const session: SessionOptions = {
      seed: random.uint(),
      shapes: 'musepi',
      bytes: size,
      time: time + Math.floor((i / sessions) * days) * DAY + random.below(10 * 3_600_000),
      home,
      cwd: `${home}/work/${random.pick(['api', 'web', '文档'])}`,
    };
    const encoding = options.encoding === 'mixed' ? (random.chance(1 / 3) ? 'raw' : 'zstd') : options.encoding;
    yield* projectSession(session, encoding);
  }
}

/** One session with its blobs. */
export function* projectSession(options: SessionOptions, encoding: StoreEncoding): Generator<CorpusFile, void, undefined> {
  const { cwd = DEFAULT_HOME } = options;
  const folder = projectFolder(sessionIdentity(options).id, cwd);
  const blobs = new Map<string, Uint8Array>();
  const lines = generateSession({ ...options, onBlob: (hash, content) => blobs.set(hash, content) });
  yield { path: `${folder}/${logFileName(encoding)}`, batches: inBatches(lines, options.seed), encoding };
  for (const [hash, content] of blobs) yield { path: `${folder}/blobs/${hash}`, bytes: content };
}

/** The lines as a store would have appended them: the header alone, then a few at a time. A title line stays out. */
export function* inBatches(lines: Iterable<string>, seed: number): Generator<readonly string[], void, undefined> {
  const random = new Random(seed, 32);
  let batch: string[] = [];
  let wanted = 1;
  for (const line of lines) {
    if (line.startsWith('{"type":"title"')) continue;
    batch.push(line);
    if (batch.length < wanted) continue;
    yield batch;
    batch = [];
    wanted = random.range(1, 4);
  }
  if (batch.length > 0) yield batch;
}
