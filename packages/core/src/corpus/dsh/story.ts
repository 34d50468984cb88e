import { Random } from '../base/random.ts';
import { DEFAULT_HOME, DEFAULT_TIME } from '../options.ts';
import { projectPaths } from '../session/project.ts';
import type { ToolScene } from '../session/tools.ts';
import type { Language } from '../text/cjk.ts';
import type { ToolResultData } from './messages.ts';
import type { DshSessionOptions } from './options.ts';
import { DSH_MODELS, DshWriter } from './writer.ts';

const USUAL_TURNS = 6;

/** Everything that the parts of a generated session share while it is written. */
export class DshStory {
  readonly random: Random;
  readonly writer: DshWriter;
  /** In a fork, until it leaves its original, what the original was asked to be. */
  options: DshSessionOptions;
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly language: Language;
  /** Sub-agents that are still to be started. */
  children: { id: string; task: string }[];
  /** Long results of tools on the surface, the newest last: what a prune may trim. */
  readonly longResults: { seq: number; data: ToolResultData }[] = [];
  readonly todos: { content: string; status: string }[] = [];
  private firstTurn = 0;

  constructor(options: DshSessionOptions) {
    const { seed, form, time = DEFAULT_TIME, home = DEFAULT_HOME } = options;
    this.options = options;
    this.random = new Random(seed, 21);
    this.writer = new DshWriter(form, this.random, time);
    const words = new Random(seed, 22);
    this.cwd = options.cwd ?? `${home}/work/${words.pick(['api', 'web', 'tools', 'site'])}`;
    this.paths = projectPaths(words, 40);
    this.language = words.chance(0.6) ? 'en' : 'zh';
    this.writer.model = words.pick(DSH_MODELS);
    this.children = [...(options.children ?? [])];
  }

  /** From here on the fork's own seed, size and time count. */
  leaveOriginal(own: DshSessionOptions): void {
    const { log, turn } = this.writer;
    this.options = own;
    this.random.reseed(own.seed, 23);
    this.children = [...(own.children ?? [])];
    this.firstTurn = turn;
    log.wait(Math.max(60_000, (own.time ?? DEFAULT_TIME) - log.clock));
  }

  finished(): boolean {
    const { bytes, turns } = this.options;
    if (this.children.length > 0) return false;
    const done = this.writer.turn - this.firstTurn;
    if (bytes === undefined) return done >= (turns ?? USUAL_TURNS);
    return this.writer.log.bytes >= bytes && done >= (turns ?? 1);
  }

  /** Length of a text or an output with this median, characters; small where little room is left. */
  size(median: number, sigma: number): number {
    const left = this.options.bytes === undefined ? Infinity : this.options.bytes - this.writer.log.bytes;
    return Math.min(this.random.logNormal(median, sigma), Math.max(60, left * 0.2), 60_000);
  }

  scene(): ToolScene {
    const size = (median: number, sigma: number): number => this.size(median, sigma);
    return { random: this.random, cwd: this.cwd, paths: this.paths, time: this.writer.log.clock, size };
  }
}
