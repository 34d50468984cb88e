import type { Random } from '../base/random.ts';
import { streamed, partial, type AnswerBlock, type DshUsage } from './answer.ts';
import { writeCompaction } from './compaction.ts';
import { EventLog, streamRecords } from './event-log.ts';
import { toolResult, userMessage, uuidV4, type Speaker, type ToolOutcome, type ToolResultData } from './messages.ts';
import type { DshForm } from './options.ts';
import type { TimedChunk } from './pack.ts';

/** Deltas of this many ms reach the disk together while an answer comes in. */
const WINDOW = 200;

export interface DshModel {
  provider: string;
  model: string;
  contextWindow: number;
}

export const DSH_MODELS: readonly [DshModel, ...DshModel[]] = [
  { provider: 'deepseek-official', model: 'deepseek-v4-flash', contextWindow: 128_000 },
  { provider: 'deepseek-official', model: 'deepseek-v4-pro', contextWindow: 256_000 },
];

/** Writes what a harness does while it works: turns, steps, answers, calls. Shared by generated and told sessions. */
export class DshWriter {
  readonly log: EventLog;
  readonly random: Random;
  model: DshModel = DSH_MODELS[0];
  turn = 0;
  step = 0;
  /** Tokens in the model's context, by four bytes a token. */
  tokens = 2800;
  private headed = false;
  private cached = 0;

  constructor(form: DshForm, random: Random, time: number) {
    this.log = new EventLog(form, time);
    this.random = random;
  }

  id(): string {
    return uuidV4(() => this.random.uint());
  }

  get at(): { turn: number; step: number } {
    return { turn: this.turn, step: this.step };
  }

  /** A person's prompt: queued, then taken by the turn that it starts. Answers the seq of its message. */
  prompt(text: string, context?: string, images: readonly object[] = []): number {
    const { log } = this;
    const message = userMessage(log.form, this.id(), 'user', [text, ...images]);
    log.event('agent/inbox/spliced', { target: 'next-turn', start: 0, inserted: [message] });
    this.turn++;
    this.step = 0;
    log.wait(4);
    log.event('turn/start', { turn: this.turn });
    log.event('agent/inbox/spliced', { target: 'next-turn', start: 0, removedCount: 1, inserted: [] });
    this.startStep();
    if (log.form === 4 && !this.headed) this.system();
    const seq = log.event('user/message', message, { surfaceOp: 'append' });
    this.grow(text.length);
    if (context !== undefined) this.injected('runtime-context', [context]);
    return seq;
  }

  /** A message that no person wrote. */
  injected(by: Speaker, texts: readonly string[], extra: object = {}): number {
    this.grow(texts.join('').length);
    return this.log.event('user/message', userMessage(this.log.form, this.id(), by, texts, extra), { surfaceOp: 'append' });
  }

  /** Condenses a range of the surface to `text`; the context is small after it and nothing of it is cached. */
  compact(shadowed: readonly number[], text: string): void {
    writeCompaction(this, shadowed, text);
    this.tokens = 6000 + Math.round(text.length / 4);
    this.cached = 0;
  }

  startStep(): void {
    this.step++;
    this.log.event('step/start', this.at);
  }

  endStep(): void {
    this.log.event('step/end', this.at);
  }

  endTurn(reason: object = { kind: 'completed' }): void {
    this.log.event('turn/end', { turn: this.turn, reason });
    this.log.flush();
  }

  /** The request's settings, where they are new; what is pending reaches the disk before the model is asked. */
  request(reason: 'initial' | 'resume' | 'change' = 'initial'): void {
    const { log, model, headed } = this;
    const { provider, contextWindow } = model;
    if (!headed || reason !== 'initial') {
      const config = { provider, model: model.model, reasoningEffort: 'high' };
      const system = log.form === 4 ? {} : { system: SYSTEM };
      log.event('request/header', { header: { config, ...system, tools: TOOLS }, reason });
      log.event('request/context', { provider, model: model.model, contextWindow });
      this.headed = true;
    }
    log.flush();
  }

  /** An answer as it comes in, and its message. Answers the message's seq. */
  answer(blocks: readonly AnswerBlock[]): number {
    const usage = this.usage(blocks);
    const chunks = this.stream(streamed(this.random, blocks, usage, this.thinkTime()));
    return this.message(blocks, chunks, { usage });
  }

  /** An answer that the person stops after `share` of it. */
  stopped(blocks: readonly AnswerBlock[], share: number): number {
    const chunks = this.stream(streamed(this.random, blocks, this.usage(blocks), this.thinkTime(), share));
    return this.message(partial(chunks.timed, blocks), chunks, { interrupted: true });
  }

  /** An answer that breaks off without a message: nothing of it is stored from form 2 on, unless as a failed attempt. */
  brokenOff(blocks: readonly AnswerBlock[], share: number, asAttempt: boolean): void {
    const { timed } = this.stream(streamed(this.random, blocks, this.usage(blocks), this.thinkTime(), share));
    if (asAttempt && this.log.form > 0) this.log.event('assistant/attempt', { ...this.at, stream: streamRecords(timed) });
    this.log.flush();
  }

  /** A call as the harness starts it; on disk before the tool runs. Answers its seq. */
  call({ id, name, arguments: args }: { id: string; name: string; arguments: string }): number {
    const seq = this.log.event('tool/call', { ...this.at, callId: id, name, arguments: args });
    this.log.flush();
    return seq;
  }

  /** `call`: the seq of the logged call. Answers the result's. */
  result(outcome: ToolOutcome, call: number): { seq: number; data: ToolResultData } {
    this.grow(JSON.stringify(outcome.content).length);
    const data = toolResult(this.log.form, this.at, this.id(), outcome);
    const seq = this.log.event('tool/result', data, { surfaceOp: 'append', sourceEventSeqs: [call] });
    this.log.flush();
    return { seq, data };
  }

  /** From form 3 on the system prompt heads the surface as a message. */
  private system(): void {
    const message = {
      role: 'system',
      content: [{ type: 'text', text: SYSTEM }],
      source: { kind: 'system-prompt' },
      id: this.id(),
    };
    this.log.event('system/message', { ...this.at, message }, { surfaceOp: 'append' });
  }

  private message(blocks: readonly AnswerBlock[], chunks: Streamed, extra: object): number {
    const { log, model } = this;
    const source = { kind: 'model', provider: model.provider, model: model.model };
    const message = { role: 'assistant', content: blocks, source, id: this.id() };
    const stream = log.form === 0 ? {} : { stream: streamRecords(chunks.timed) };
    const sources = log.form === 0 ? { sourceEventSeqs: chunks.seqs } : {};
    this.grow(JSON.stringify(blocks).length);
    const seq = log.event('assistant/message', { ...this.at, message, ...extra, ...stream }, { ...sources, surfaceOp: 'append' });
    log.flush();
    return seq;
  }

  /** Lets the chunks come in: in form 0 they are events and reach the disk in windows. */
  private stream(chunks: Iterable<TimedChunk>): Streamed {
    const { log } = this;
    const out: Streamed = { timed: [], seqs: [] };
    let opened = log.clock;
    for (const chunk of chunks) {
      log.clock = Math.max(log.clock, chunk.time);
      out.timed.push(chunk);
      if (log.form !== 0) continue;
      if (chunk.time - opened > WINDOW) {
        log.flush();
        opened = chunk.time;
      }
      out.seqs.push(log.chunk(this.turn, this.step, chunk));
    }
    return out;
  }

  private thinkTime(): number {
    return this.log.clock + Math.round(this.random.logNormal(900, 0.6));
  }

  private usage(blocks: readonly AnswerBlock[]): DshUsage {
    const { random, tokens } = this;
    const of = (type: string): number =>
      blocks.reduce((sum, block) => sum + (block.type === type ? Math.ceil(JSON.stringify(block).length / 4) : 0), 0);
    const reasoning = of('reasoning');
    const cacheReadTokens = Math.min(this.cached, tokens);
    this.cached = tokens - (tokens % 64);
    const outputTokens = reasoning + of('text') + of('tool-call') + random.below(9);
    const spent = { inputTokens: tokens - cacheReadTokens, outputTokens, cacheReadTokens };
    return reasoning === 0 ? spent : { ...spent, reasoningTokens: reasoning };
  }

  private grow(characters: number): void {
    this.tokens += Math.round(characters / 4);
  }
}

interface Streamed {
  timed: TimedChunk[];
  /** Seqs of the chunks; empty from form 2 on. */
  seqs: number[];
}

const SYSTEM =
  'You are a coding assistant that works in the directory of the session.\n\n' +
  'Read a file before you change it. Run the tests after a change. Keep answers brief and factual.';

const TOOLS = ['read', 'write', 'edit', 'bash', 'grep', 'find', 'ls', 'todo_write', 'subagent'].map((name) => ({
  name,
  description: `The tool ${name}.`,
  parameters: { type: 'object', properties: {} },
}));
