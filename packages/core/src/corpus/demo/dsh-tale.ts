import { Random } from '../base/random.ts';
import { imageBlock, uuidV4 } from '../dsh/messages.ts';
import type { Batch, DshForm, DshSessionOptions } from '../dsh/options.ts';
import { dshHeader } from '../dsh/session.ts';
import { dshPath } from '../dsh/store.ts';
import { DshWriter } from '../dsh/writer.ts';
import type { AnswerBlock } from '../dsh/answer.ts';
import { DEFAULT_HOME } from '../options.ts';
import { textHash, type Call } from './tale.ts';

export interface DshCall extends Call {
  /** The person is asked first, and decides so. */
  approval?: 'allowed-once' | 'rejected';
  /** The list of things to do that the call writes. */
  todos?: readonly { content: string; status: 'pending' | 'in_progress' | 'completed' }[];
  /** The sub-agent that the call starts. */
  childId?: string;
}

export interface DshTaleOptions {
  form: DshForm;
  /** Folder under the home directory. */
  project: string;
  /** Names the session for us; shown only where `rename` says so. */
  name: string;
  /** Epoch ms of the header. */
  time: number;
  delegated?: { parent: string; task: string };
  /** The session that this one is a fork of: what is told before `leaveOriginal` is the same as there. */
  copyOf?: DshTale;
}

/** A DeepSeek Harness session told by hand: each method appends what the harness would have written. */
export class DshTale {
  readonly id: string;
  readonly path: string;
  /** What lies in the attachment store of the harness, by hash. */
  readonly attachments = new Map<string, Uint8Array>();
  private readonly options: DshTaleOptions;
  private readonly writer: DshWriter;
  private readonly lines: Batch[] = [];
  private stepIsOpen = false;
  private seedLength: number | undefined;

  constructor(options: DshTaleOptions) {
    const { form, project, name, delegated, copyOf } = options;
    const first = copyOf?.options ?? options;
    this.options = options;
    this.id = dshTaleId(name, delegated !== undefined);
    this.writer = new DshWriter(form, new Random(textHash(first.name), 43), first.time);
    this.path = dshPath(this.id, `${DEFAULT_HOME}/${project}`, form, 'zstd');
    const { log, model } = this.writer;
    log.isSeeding = copyOf !== undefined;
    if (delegated === undefined) log.event('approval/policy', { policy: 'ask' });
    else {
      const who = { label: name, agentProvider: model.provider, agentModel: model.model };
      log.event('subagent/descriptor', { version: form === 0 ? 2 : 3, mode: 'one-shot', provider: 'spawn', ...who });
      if (form === 0) log.event('session/end-seed', {});
    }
  }

  /** Ends what a fork inherits; what follows is told at the fork's own time. */
  leaveOriginal(): this {
    const { log } = this.writer;
    log.isSeeding = false;
    log.flush();
    this.lines.push(log.take().flat());
    this.seedLength = log.seq;
    log.wait(this.options.time - log.clock);
    log.event('session/end-seed', this.options.form === 0 ? {} : { inherited: true });
    return this;
  }

  /** A prompt, with a PNG if there is one. `after`: minutes since the event before. `context`: what the harness tells the model with it. */
  user(text: string, after = 1, context?: string, picture?: { name: string; bytes: Uint8Array }): this {
    this.writer.log.wait(after * 60_000);
    const image = picture === undefined ? undefined : imageBlock(picture.bytes, picture.name);
    if (picture !== undefined && image !== undefined) this.attachments.set(image.hash, picture.bytes);
    const isFirst = this.writer.turn === 0;
    const seq = this.writer.prompt(text, context, image === undefined ? [] : [image.block]);
    // Until something better comes, the first words are the title.
    if (isFirst) {
      const title = text.slice(0, 30).trim();
      this.writer.log.event('session/title', { title, messageSeqs: [seq], source: { kind: 'fallback' } });
    }
    this.stepIsOpen = true;
    return this;
  }

  /** A step of the model: thinking, words, calls; then the results of the calls. A call without `out` stays unanswered. */
  step(think: string, say: string, ...calls: DshCall[]): this {
    const { writer } = this;
    const blocks = calls.map((call) => ({
      type: 'tool-call' as const,
      id: `call_00_${writer.random.hex(24)}`,
      name: call.tool,
      arguments: JSON.stringify(call.args),
    }));
    this.openStep();
    writer.answer([...words(think, say), ...blocks]);
    blocks.forEach((block, i) => this.run(block, calls[i] as DshCall));
    if (calls.every(({ out }) => out !== undefined)) this.closeStep();
    return this;
  }

  /** The model's last words of a turn. */
  answer(text: string, think = ''): this {
    this.openStep();
    this.writer.answer(words(think, text));
    this.closeStep();
    this.writer.endTurn();
    return this;
  }

  /** The provider fails once and is asked again. */
  retry(message: string, began: string): this {
    const { writer } = this;
    this.openStep();
    writer.brokenOff(words('', began), 0.7, true);
    const head = { retryId: writer.id(), ...writer.at };
    const failure = { message, code: 'TRANSPORT' };
    writer.log.event('llm/retry', {
      ...head,
      provider: writer.model.provider,
      mode: 'normal',
      retry: 1,
      maxRetries: 2,
      delayMs: 2000,
      failure,
    });
    writer.log.wait(2000);
    writer.log.event('llm/retry-started', { ...head, retry: 1 });
    return this;
  }

  /** The provider fails for good: the turn ends with it. */
  fail(message: string, code: string, status: number): this {
    this.openStep();
    this.closeStep();
    this.writer.endTurn({ kind: 'error', error: { message, code, status } });
    return this;
  }

  /** The person stops the answer when `share` of it has come in. */
  stop(text: string, share: number): this {
    this.openStep();
    this.writer.stopped(words('', text), share);
    this.closeStep();
    this.writer.endTurn({ kind: 'aborted', reason: { kind: 'user' } });
    return this;
  }

  /** Condenses all but the newest `keep` messages, for the model only. */
  compact(text: string, keep = 2): this {
    const { writer } = this;
    writer.log.wait(20_000);
    writer.compact(writer.log.surface.slice(this.options.form === 4 ? 1 : 0, -keep), text);
    writer.log.flush();
    return this;
  }

  /** A command that the person gave the harness. */
  command(name: string, text: string): this {
    const { log } = this.writer;
    const commandId = this.writer.id();
    log.event('command/run', { commandId, name, source: { kind: 'user' } });
    log.event('command/done', { commandId, kind: 'success', text });
    return this;
  }

  /** A title from the provider, or from the person. */
  rename(title: string, by: 'provider' | 'user' = 'provider'): this {
    this.writer.log.event('session/title', { title, messageSeqs: [], source: { kind: by } });
    return this;
  }

  /** All batches so far, the header first. */
  batches(): Batch[] {
    const { form, project, time, delegated, copyOf } = this.options;
    const { log } = this.writer;
    log.flush();
    this.lines.push(...log.take());
    const options: DshSessionOptions = { seed: 0, form, id: this.id, time, cwd: `${DEFAULT_HOME}/${project}` };
    if (delegated !== undefined) options.delegated = delegated;
    if (copyOf !== undefined) options.forkOf = { options: { seed: 0, form, id: copyOf.id }, turns: 1 };
    return [[dshHeader(options, this.seedLength)], ...this.lines];
  }

  /** Epoch ms of the newest event. */
  get modified(): number {
    return this.writer.log.clock;
  }

  private openStep(): void {
    if (!this.stepIsOpen) this.writer.startStep();
    this.stepIsOpen = true;
    this.writer.request();
  }

  private closeStep(): void {
    this.writer.endStep();
    this.stepIsOpen = false;
  }

  private run(block: Extract<AnswerBlock, { type: 'tool-call' }>, call: DshCall): void {
    const { writer } = this;
    const { log, random } = writer;
    const seq = writer.call(block);
    if (call.approval !== undefined) {
      const id = writer.id();
      log.event('approval/asked', { id, toolName: call.tool, callId: block.id, reason: 'writes outside the working directory' });
      log.flush();
      log.wait(6000);
      log.event('approval/decided', { id, outcome: call.approval });
    }
    if (call.out === undefined) return;
    log.wait(call.tool === 'bash' ? 2000 + random.below(3000) : 60);
    if (call.todos !== undefined) log.event('todo/write', { todos: call.todos });
    if (call.childId !== undefined && log.form === 4) {
      log.event('subagent/catalog', { version: 1, childId: call.childId, childCreatedAt: log.clock, mode: 'one-shot' });
    }
    const meta = call.childId === undefined ? call.details : { childId: call.childId };
    const content = [{ type: 'text', text: call.out }];
    const outcome = { callId: block.id, content, isError: call.failed === true };
    writer.result(meta === undefined ? outcome : { ...outcome, meta }, seq);
  }
}

/** The id of the session with this name; sub-agents have bare UUIDs. */
export function dshTaleId(name: string, isDelegated = false): string {
  const random = new Random(textHash(name), 42);
  return `${isDelegated ? '' : 'session-'}${uuidV4(() => random.uint())}`;
}

/** A call that writes the list of things to do: `x` done, `>` in work, blank pending. */
export function todo(...items: readonly string[]): DshCall {
  const states = { x: 'completed', '>': 'in_progress', ' ': 'pending' } as const;
  const todos = items.map((item) => ({ content: item.slice(2), status: states[item[0] as keyof typeof states] }));
  return { tool: 'todo_write', args: { todos }, out: `${items.length} items`, todos };
}

function words(think: string, say: string): AnswerBlock[] {
  const out: AnswerBlock[] = [];
  if (think !== '') out.push({ type: 'reasoning', text: think });
  if (say !== '') out.push({ type: 'text', text: say });
  return out;
}
