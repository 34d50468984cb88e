import { noise64 } from '../base/base64.ts';
import { bucketName, sessionFileName } from '../base/paths.ts';
import { Random, uuidV7 } from '../base/random.ts';
import { logFileName } from '../../shapes/projects.ts';
import type { Batch } from '../dsh/options.ts';
import { DEFAULT_HOME, type CorpusShape, type StoreEncoding } from '../options.ts';
import { inBatches, projectFolder } from '../projects.ts';
import { DIALECTS, titleSlot, type Dialect } from '../session/dialect.ts';
import { EntryLog } from '../session/entry-log.ts';
import { imageBlock } from '../session/images.ts';
import { MODELS, usage, type Model } from '../session/models.ts';

type Block = Record<string, unknown> & { type: string };

/** One tool call of a told session: tool, arguments, what came back. */
export interface Call {
  tool: string;
  args: Record<string, unknown>;
  /** Text of the result; left out, the call stays unanswered. */
  out?: string;
  failed?: boolean;
  details?: object;
  /** PNG bytes in the result. */
  image?: Uint8Array;
}

export interface TaleOptions {
  shapes: CorpusShape;
  /** Folder under the home directory. */
  project: string;
  title: string;
  /** Epoch ms of the header. */
  time: number;
  model?: Model;
  parentSession?: string;
  /** The session that this one is a fork of: what is told before `leaveOriginal` gets its ids and times. */
  copyOf?: Tale;
  /** Lies in a root of project directories, stored so, not in an agent folder. */
  projects?: StoreEncoding;
  /** Where a sub-session lies: the path of its parent's file and its number. */
  inside?: { parent: string; n: number };
}

/** A session told by hand: each method appends what the agents would have written. */
export class Tale {
  readonly id: string;
  readonly path: string;
  private readonly options: TaleOptions;
  readonly blobs = new Map<string, Uint8Array>();
  private readonly log: EntryLog;
  private readonly dialect: Dialect;
  private readonly random: Random;
  private readonly marks = new Map<string, string>();
  private readonly lines: string[] = [];
  private model: Model;
  private tokens = 4200;

  constructor(options: TaleOptions) {
    const { shapes, project, title, time, parentSession, inside } = options;
    const first = options.copyOf?.options ?? options;
    this.options = options;
    this.id = uuidV7(new Random(textHash(title), 41), time);
    this.random = new Random(textHash(first.title), 40);
    this.log = new EntryLog(this.random.uint(), first.time);
    this.dialect = DIALECTS[shapes];
    this.model = options.model ?? MODELS[0];
    const cwd = `${DEFAULT_HOME}/${project}`;
    const inProject = `projects/${projectFolder(this.id, cwd)}`;
    const file = `${shapes}/sessions/${bucketName(shapes, cwd, DEFAULT_HOME)}/${sessionFileName(time, this.id)}`;
    if (options.projects !== undefined) this.path = `${inProject}/${logFileName(options.projects)}`;
    else this.path = inside === undefined ? file : `${inside.parent.replace(/\.jsonl$/, '')}/${inside.n}.jsonl`;
    if (shapes === 'musepi' && options.projects === undefined) this.log.preamble(titleSlot(title, 'auto', time));
    this.log.preamble(this.dialect.header({ id: this.id, time, cwd, title, parentSession }));
    if (inside !== undefined) return;
    this.log.wait(300);
    this.dialect.thinkingLevel(this.log, 'medium');
    this.dialect.modelChange(this.log, this.model);
    if (shapes === 'pi') this.dialect.rename(this.log, first.title);
  }

  /** Ends the part that a fork has in common with its original; what follows is told at the fork's own time. */
  leaveOriginal(): this {
    this.log.leaveOriginal();
    this.log.wait(this.options.time - this.log.clock);
    return this;
  }

  /** A prompt, with PNG images if any. `after`: minutes since the entry before. */
  user(text: string, after = 1, ...images: Uint8Array[]): this {
    this.log.wait(after * 60_000 + this.random.below(9000));
    const pictures = images.map((bytes) => this.picture(bytes));
    return this.message({ role: 'user', content: [{ type: 'text', text }, ...pictures], timestamp: this.log.clock });
  }

  /** A step of the model: thinking, words, calls; then the results of the calls. */
  step(think: string, say: string, ...calls: Call[]): this {
    const ids = calls.map(() => `toolu_01${this.random.hex(20)}`);
    const blocks = calls.map((call, i): Block => ({ type: 'toolCall', id: ids[i], name: call.tool, arguments: call.args }));
    this.assistant([...this.words(think, say), ...blocks], 'toolUse');
    calls.forEach((call, i) => this.result(ids[i] as string, call));
    return this;
  }

  /** The model's last words of a turn. */
  answer(text: string, think = ''): this {
    return this.assistant(this.words(think, text), 'stop');
  }

  /** The person presses Escape after the model wrote `text`. */
  abort(text: string): this {
    return this.assistant(this.words('', text), 'aborted', 'Request was aborted.');
  }

  /** The provider fails. */
  fail(message: string): this {
    return this.assistant([], 'error', message);
  }

  /** A shell command that the person ran. */
  shell(command: string, output: string, exitCode = 0): this {
    this.log.wait(30_000);
    const outcome = { exitCode, cancelled: false, truncated: false };
    return this.message({ role: 'bashExecution', command, output, ...outcome, timestamp: this.log.clock });
  }

  /** Remembers the present entry under a name, for `back`, `label` and `compact`. */
  mark(name: string): this {
    this.marks.set(name, this.log.leaf as string);
    return this;
  }

  /** Returns to a marked entry; with a summary of what is left behind, if one is given. */
  back(name: string, summary?: string): this {
    const abandoned = this.log.leaf as string;
    this.log.leaf = this.marked(name);
    this.log.wait(45_000);
    if (summary !== undefined) this.dialect.branchSummary(this.log, abandoned, summary);
    return this;
  }

  /** Sets, moves or (without text) clears the label of a marked entry. */
  label(name: string, text?: string): this {
    this.log.wait(4000);
    this.log.append('label', { targetId: this.marked(name), ...(text === undefined ? {} : { label: text }) });
    return this;
  }

  /** Folds everything before the marked prompt. */
  compact(keepFrom: string, short: string, summary: string, readFiles: string[], modifiedFiles: string[]): this {
    this.log.wait(21_000);
    const firstKeptEntryId = this.marked(keepFrom);
    this.dialect.compaction(this.log, {
      summary,
      short,
      firstKeptEntryId,
      tokensBefore: 150_000 + this.tokens,
      readFiles,
      modifiedFiles,
    });
    this.tokens = 11_000;
    return this;
  }

  /** Switches the model; role only counts in musepi. */
  switchTo(model: Model, role?: string): this {
    if (role === undefined) this.model = model;
    this.dialect.modelChange(this.log, model, role);
    return this;
  }

  think(level: string): this {
    this.dialect.thinkingLevel(this.log, level);
    return this;
  }

  rename(title: string): this {
    this.dialect.rename(this.log, title);
    return this;
  }

  /** Any other entry, as it is. */
  entry(type: string, payload: object): this {
    this.log.append(type, payload);
    return this;
  }

  custom(type: 'custom' | 'custom_message', payload: object): this {
    this.log.appendCustom(type, payload);
    return this;
  }

  /** All lines so far, without LFs. */
  text(): string[] {
    this.lines.push(...this.log.take());
    return this.lines;
  }

  /** Append batches, where the session lies in a root of project directories: the header, then a few lines at a time. */
  batches(): Batch[] | undefined {
    return this.options.projects === undefined ? undefined : [...inBatches(this.text(), 1)];
  }

  /** Entries so far. */
  get count(): number {
    return this.log.count;
  }

  /** Epoch ms of the newest entry. */
  get modified(): number {
    return this.log.clock;
  }

  private result(id: string, call: Call): void {
    if (call.out === undefined) return;
    this.log.wait(call.tool === 'bash' ? 3800 : 90);
    const content: object[] = [{ type: 'text', text: call.out }];
    if (call.image !== undefined) content.push(this.picture(call.image));
    const details = call.details === undefined ? {} : { details: call.details };
    const head = { role: 'toolResult', toolCallId: id, toolName: call.tool };
    this.message({ ...head, content, ...details, isError: call.failed === true, timestamp: this.log.clock });
  }

  private words(think: string, say: string): Block[] {
    const out: Block[] = [];
    const signature = (): string => noise64(() => this.random.uint(), 160 + think.length);
    if (think !== '') out.push({ type: 'thinking', thinking: think, thinkingSignature: signature() });
    if (say !== '') out.push({ type: 'text', text: say });
    return out;
  }

  private assistant(content: Block[], stopReason: string, errorMessage?: string): this {
    const { model, tokens } = this;
    const timestamp = this.log.clock;
    this.log.wait(4000 + this.random.below(14_000));
    const written = stopReason === 'error' ? 0 : Math.round(JSON.stringify(content).length / 4) + 20;
    const used = usage(model, 30 + this.random.below(200), written, tokens, Math.round(tokens * 0.06));
    const error = errorMessage === undefined ? {} : { errorMessage };
    const from = { api: model.api, provider: model.provider, model: model.id };
    return this.message({ role: 'assistant', content, ...from, usage: used, stopReason, timestamp, ...error });
  }

  private message(message: object): this {
    const before = this.log.bytes;
    this.log.append('message', { message });
    this.tokens += Math.round((this.log.bytes - before) / 4);
    return this;
  }

  private picture(bytes: Uint8Array): object {
    return imageBlock(bytes, this.dialect.name, (hash, content) => this.blobs.set(hash, content));
  }

  private marked(name: string): string {
    const id = this.marks.get(name);
    if (id === undefined) throw new Error(`no mark ${name}`);
    return id;
  }
}

/** A number that stands for a text. */
export function textHash(text: string): number {
  let out = 7;
  for (let i = 0; i < text.length; i++) out = (Math.imul(out, 31) + text.charCodeAt(i)) | 0;
  return out >>> 0;
}
