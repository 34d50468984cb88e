import { Random } from '../base/random.ts';
import { sessionSizes } from '../base/sizes.ts';
import { DEFAULT_HOME, DEFAULT_TIME, type CorpusFile, type StoreEncoding } from '../options.ts';
import { projectFolder } from '../projects.ts';
import { subSessionTask } from '../text/prompts.ts';
import type { DshEnding, DshForm, DshSessionOptions } from './options.ts';
import { dshIdentity, generateDshSession } from './session.ts';

const DAY = 86_400_000;
const USUAL_SESSION = 120_000;
const ENDINGS: readonly DshEnding[] = ['not-started', 'outcome-unknown', 'mid-answer'];

export interface DshStoreOptions {
  seed: number;
  /** How many sessions; sub-agents come on top. */
  sessions: number;
  /** About this many bytes of text over all sessions. Default: 120 KB a session. */
  bytes?: number;
  /** `mixed`: every third log raw. */
  encoding: StoreEncoding | 'mixed';
  /** Default: all of them in turn. */
  forms?: readonly DshForm[];
  time?: number;
  days?: number;
  home?: string;
}

/** Where a log lies in its root. `version` 0 stands in no name. */
export function dshPath(id: string, cwd: string, version: number, encoding: StoreEncoding): string {
  const name = `session${version === 0 ? '' : `.v${version}`}.jsonl${encoding === 'zstd' ? '.zstd' : ''}`;
  return `${projectFolder(id, cwd)}/${name}`;
}

/**
 * The files of one root of DeepSeek Harness (`<project>/<session>/session…`). One session in twelve is a fork of an
 * earlier one, one in ten starts a sub-agent, one in fifteen was interrupted. Lazy and deterministic. Throws a RangeError when no session is asked for.
 */
export function* generateDshStore(options: DshStoreOptions): Generator<CorpusFile, void, undefined> {
  const { seed, sessions, bytes = sessions * USUAL_SESSION, forms = [0, 2, 4] } = options;
  const { time = DEFAULT_TIME, days = 200, home = DEFAULT_HOME } = options;
  if (!(sessions >= 1)) throw new RangeError(`a store has at least one session, got ${sessions}`);
  const random = new Random(seed, 30);
  const projects = ['api', 'web', 'data-tools', '文档', 'my site'];
  const known: DshSessionOptions[] = [];
  for (const [i, size] of sessionSizes(random, sessions, bytes).entries()) {
    const form = forms[i % forms.length] as DshForm;
    const start = time + Math.floor((i / sessions) * days) * DAY + random.below(10 * 3_600_000);
    const plain: DshSessionOptions = {
      seed: random.uint(),
      form,
      bytes: size,
      time: start,
      home,
      cwd: `${home}/work/${random.pick(projects)}`,
      ...(random.chance(1 / 15) ? { ending: random.pick(ENDINGS) } : {}),
    };
    const parents = known.filter((other) => other.form === form);
    const encoding = options.encoding === 'mixed' ? (random.chance(1 / 3) ? 'raw' : 'zstd') : options.encoding;
    if (parents.length > 0 && random.chance(1 / 12)) yield file(fork(plain, random.pick(parents)), encoding);
    else yield* family(plain, random.chance(0.1), encoding);
    if (known.length < 24) known.push(plain);
  }
}

function fork(plain: DshSessionOptions, original: DshSessionOptions): DshSessionOptions {
  return { ...plain, cwd: dshIdentity(original).cwd, forkOf: { options: original, turns: 2 } };
}

/** A session, and the sub-agent that it starts. */
function* family(plain: DshSessionOptions, isParent: boolean, encoding: StoreEncoding): Generator<CorpusFile, void, undefined> {
  if (!isParent) return yield file(plain, encoding);
  const task = subSessionTask(plain.seed, 0);
  const child: DshSessionOptions = {
    ...plain,
    seed: plain.seed + 1,
    bytes: Math.ceil((plain.bytes ?? USUAL_SESSION) / 6),
    time: (plain.time ?? DEFAULT_TIME) + 60_000,
    delegated: { parent: dshIdentity(plain).id, task },
  };
  yield file({ ...plain, children: [{ id: dshIdentity(child).id, task }] }, encoding);
  yield file(child, encoding);
}

function file(options: DshSessionOptions, encoding: StoreEncoding): CorpusFile {
  const { id, cwd } = dshIdentity(options);
  return { path: dshPath(id, cwd, options.form, encoding), batches: generateDshSession(options), encoding };
}
