import { generateDshSession, type Batch, type DshSessionOptions } from '../../src/corpus/index.ts';
import type { Random } from '../random.ts';
import { oddDirectory, oddId } from './names.ts';

export interface GeneratedLog {
  compression: 'zstd' | 'none';
  /** As the harness's store is given it: what it writes in the first line, but for the type. */
  header: { id: string; cwd?: string } & Record<string, unknown>;
  /** Lines of each append. */
  batches: Batch[];
}

const ENDINGS = ['not-started', 'outcome-unknown', 'mid-answer'] as const;

/** The `n`-th log of a run: of any length, with odd names, forks, sub-agents, turns that nobody ended. */
export function generateLog(random: Random, seed: number, n: number): GeneratedLog {
  const cwd = oddDirectory(random);
  const options: DshSessionOptions = { seed, form: 0, id: oddId(random, n), turns: random.int(1, 5), cwd: cwd ?? '/absent' };
  if (random.chance(0.3)) options.ending = random.pick(ENDINGS);
  if (random.chance(0.15)) options.delegated = { parent: 'session-parent', task: 'look at the names' };
  else if (random.chance(0.2)) options.forkOf = { options: { seed: seed + 1, form: 0, turns: 4 }, turns: random.int(1, 3) };
  const [first, ...batches] = [...generateDshSession(options)];
  const { type: _session, ...header } = JSON.parse(first![0]!) as GeneratedLog['header'];
  if (cwd === undefined) delete header.cwd;
  return { compression: random.chance(0.7) ? 'zstd' : 'none', header, batches };
}
