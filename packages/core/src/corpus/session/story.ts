import { Random } from '../base/random.ts';
import { DEFAULT_HOME, DEFAULT_TIME, type SessionOptions } from '../options.ts';
import type { Language } from '../text/cjk.ts';
import { DIALECTS, type Dialect } from './dialect.ts';
import { EntryLog } from './entry-log.ts';
import { MODELS, type Model } from './models.ts';
import { projectPaths } from './project.ts';
import type { ToolScene } from './tools.ts';

/** Average bytes of an entry when only a number of entries is asked for. */
export const USUAL_ENTRY = 2400;

/** The prompt and the tools in force at a place of the tree. */
export interface SystemPrompt {
  sections: Readonly<Record<string, string>>;
  tools: readonly string[];
}

/** A place in the tree that work can come back to. */
export interface Anchor {
  leaf: string | null;
  turns: readonly string[];
  tokens: number;
  system: SystemPrompt | undefined;
}

/** Everything that the parts of a session share while it is written. */
export class Story {
  readonly random: Random;
  readonly log: EntryLog;
  readonly dialect: Dialect;
  /** What to write; in a fork, until it leaves its original, what the original was asked to be. */
  options: SessionOptions;
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly language: Language;
  model: Model;
  thinks: boolean;
  /** Tokens in the model's context now, by four bytes a token. */
  tokens = 3000;
  /** The system prompt in force on the current path, where the log has one. */
  system: SystemPrompt | undefined;
  /** Prompts on the current path, the newest last; a compaction keeps from one of them on. */
  turns: readonly string[] = [];
  /** Places to fork from, at most 256. */
  readonly anchors: Anchor[] = [];
  /** Labelled entries, the newest last. */
  readonly labels: { target: string; label: string }[] = [];
  leaves = 1;
  subSessionsLeft: number;
  private readonly readFiles = new Set<string>();
  private readonly modifiedFiles = new Set<string>();
  private readonly fork: { own: SessionOptions; after: number } | undefined;
  private inOriginal: boolean;

  constructor(own: SessionOptions) {
    const options = own.forkOf === undefined ? own : { ...own.forkOf.options, onBlob: own.onBlob ?? (() => undefined) };
    const { seed, shapes, time = DEFAULT_TIME, home = DEFAULT_HOME } = options;
    this.options = options;
    this.fork = own.forkOf === undefined ? undefined : { own, after: own.forkOf.after };
    this.inOriginal = own.forkOf !== undefined;
    this.random = new Random(seed, 1);
    this.dialect = DIALECTS[shapes];
    this.log = new EntryLog(this.random.uint(), time);
    const words = new Random(seed, 2);
    this.cwd = options.cwd ?? `${home}/work/${words.pick(['api', 'web', 'tools', 'site', 'infra', 'notes'])}`;
    this.paths = projectPaths(words, 60);
    const n = words.below(100);
    this.language = n < 62 ? 'en' : n < 88 ? 'zh' : n < 94 ? 'ja' : 'ko';
    this.model = n % 3 === 0 ? words.pick(MODELS) : MODELS[0];
    this.thinks = words.chance(0.8);
    this.subSessionsLeft = options.subSessions ?? 0;
  }

  /** Entries that may still be written. */
  entriesLeft(): number {
    const { entries, bytes } = this.options;
    if (entries !== undefined) return entries - this.log.count;
    return bytes === undefined ? USUAL_ENTRIES - this.log.count : Infinity;
  }

  finished(): boolean {
    const { entries, bytes } = this.options;
    if (entries !== undefined || bytes === undefined) return this.entriesLeft() <= 0;
    // A last turn would overshoot by half a turn on average.
    return this.log.bytes >= bytes - Math.min(2000, bytes / 20);
  }

  /** Most steps of a turn: few where many branches must find room between the entries. */
  stepLimit(): number {
    const { branches, entries } = this.options;
    return branches === undefined || entries === undefined ? Infinity : Math.max(0, Math.floor(entries / branches / 5) - 1);
  }

  /** Bytes that the rest should take; Infinity when nobody asked for a size. */
  bytesLeft(): number {
    return this.options.bytes === undefined ? Infinity : this.options.bytes - this.log.bytes;
  }

  /** Length of a tool output or a text with this median, steered so that the whole comes out at the asked size. */
  size(median: number, sigma: number): number {
    const { entries, bytes } = this.options;
    let wanted = this.random.logNormal(median, sigma);
    if (entries !== undefined && bytes !== undefined) {
      const average = bytes / entries;
      const debt = average * this.log.count - this.log.bytes;
      const rest = Math.max(0, bytes - this.log.bytes) / Math.max(1, entries - this.log.count);
      const gain = Math.max(0.02, Math.min(5, (rest / average) * (1 + debt / (average * 30))));
      wanted *= (average / USUAL_ENTRY) * gain;
    }
    return Math.min(wanted, Math.max(60, this.bytesLeft() * 0.3), 400_000);
  }

  /** As `size`, for what people and models write: grows less than tool output does. */
  textSize(median: number, sigma: number): number {
    return Math.min(this.size(median, sigma), median * 6);
  }

  /** Where the part copied by a fork ends, the rest gets its own random source, ids, size and time. */
  leaveOriginal(): void {
    if (this.fork === undefined || !this.inOriginal) return;
    const { own, after } = this.fork;
    if (this.log.count < after && !this.finished()) return;
    this.inOriginal = false;
    this.options = own;
    this.random.reseed(own.seed, 3);
    this.log.leaveOriginal();
    this.log.wait(Math.max(60_000, (own.time ?? DEFAULT_TIME) - this.log.clock));
  }

  /** What tools need to know of the place they run in. */
  scene(): ToolScene {
    const size = (median: number, sigma: number): number => this.size(median, sigma);
    return { random: this.random, cwd: this.cwd, paths: this.paths, time: this.log.clock, size };
  }

  /** Notes that a file was read or changed. */
  touched(path: string, modified: boolean): void {
    const files = modified ? this.modifiedFiles : this.readFiles;
    if (files.size < 40) files.add(path);
  }

  /** Files changed so far, or read and not changed; sorted. */
  files(modified: boolean): string[] {
    const files = modified ? [...this.modifiedFiles] : [...this.readFiles].filter((path) => !this.modifiedFiles.has(path));
    return files.sort();
  }

  /** Remembers the present position as a place to come back to. */
  remember(): void {
    const { turns, tokens, system } = this;
    const anchor = { leaf: this.log.leaf, turns, tokens, system };
    if (this.anchors.length < 256) this.anchors.push(anchor);
    else this.anchors[this.random.below(256)] = anchor;
  }
}

const USUAL_ENTRIES = 120;
