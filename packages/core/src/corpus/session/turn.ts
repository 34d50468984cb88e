/** One turn: a prompt, the model's steps with their tools, and its answer. */
import { noise64 } from '../base/base64.ts';
import { answer, thought } from '../text/answers.ts';
import { prompt, subSessionTask } from '../text/prompts.ts';
import * as terminal from '../text/terminal.ts';
import { imageBlock, screenshot } from './images.ts';
import { usage } from './models.ts';
import type { Story } from './story.ts';
import { useTool, type ToolUse } from './tools.ts';

type Block = Record<string, unknown> & { type: string };

const ERRORS = [
  '529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
  '429 Rate limit reached, retry after 12 s',
  'terminated: the connection was closed before the answer ended',
];

/** Writes a turn of at least one and at most `story.entriesLeft()` entries. */
export function writeTurn(story: Story): void {
  story.remember();
  ask(story);
  if (story.entriesLeft() < 1) return;
  const { random } = story;
  for (let step = Math.min(story.stepLimit(), 1 + Math.floor(random.logNormal(4, 0.8))); step > 0; step--) {
    // A step needs its call, a result and, after it, room for the answer.
    if (story.entriesLeft() < 3 || (story.bytesLeft() < 8000 && story.bytesLeft() < story.log.bytes * 0.04)) break;
    if (random.chance(0.008)) return breakOff(story);
    work(story);
  }
  // Some sessions end while tools are still running.
  if (story.entriesLeft() === 1 && random.chance(0.1))
    return void assistant(story, [callBlock(story, useTool(story.scene()))], 'toolUse');
  assistant(story, finalBlocks(story), random.chance(0.01) ? 'length' : 'stop');
}

function ask(story: Story): void {
  const { random, log, options } = story;
  log.wait(random.logNormal(45_000, 1.1));
  const words = options.task !== undefined && log.count < 3 ? options.task : prompt(random, story.language, story.paths);
  const content: Block[] = [{ type: 'text', text: words }];
  if (random.chance(0.03)) content.push(picture(story));
  const plain = options.shapes === 'musepi' && content.length === 1 && random.chance(0.2);
  const id = append(story, { role: 'user', content: plain ? words : content, timestamp: log.clock });
  story.turns = [...story.turns.slice(-5), id];
}

/** An assistant message with tool calls, and their results. */
function work(story: Story): void {
  const { random } = story;
  const uses: ToolUse[] = [];
  const room = Math.min(story.entriesLeft() - 2, random.chance(0.75) ? 1 : random.range(2, 4));
  for (let i = 0; i < Math.max(1, room); i++) uses.push(nextUse(story));
  const blocks = thinkingBlocks(story, 0.5);
  if (random.chance(0.45)) blocks.push({ type: 'text', text: answer(random, story.language, story.textSize(110, 0.6)) });
  const calls = uses.map((use) => callBlock(story, use));
  assistant(story, [...blocks, ...calls], 'toolUse');
  uses.forEach((use, i) => result(story, calls[i] as Block, use));
}

function nextUse(story: Story): ToolUse {
  const { random } = story;
  if (story.subSessionsLeft > 0) {
    const n = (story.options.subSessions ?? 0) - story.subSessionsLeft--;
    const args = { agent: 'explore', id: String(n), task: subSessionTask(story.options.seed, n) };
    return { name: 'task', arguments: args, text: answer(random, story.language, 700), isError: false };
  }
  // Now and then a tool returns far more than anyone wanted.
  if (random.chance(0.003) && story.bytesLeft() > 1_500_000) {
    const text = terminal.serverLog(random, random.range(66_000, 180_000), story.log.clock);
    return { name: 'bash', arguments: { command: 'journalctl -u app --no-pager' }, text, isError: false };
  }
  return useTool(story.scene());
}

function result(story: Story, call: Block, use: ToolUse): void {
  const { random, log } = story;
  log.wait(use.name === 'bash' ? random.logNormal(2500, 1.3) : random.logNormal(60, 0.7));
  const content: Block[] = [{ type: 'text', text: use.text }];
  if (use.image) content.push(picture(story));
  const details = use.details === undefined ? {} : { details: use.details };
  append(story, {
    role: 'toolResult',
    toolCallId: call['id'],
    toolName: use.name,
    content,
    ...details,
    isError: use.isError,
    timestamp: log.clock,
  });
  if (use.read !== undefined) story.touched(use.read, false);
  if (use.modified !== undefined) story.touched(use.modified, true);
}

/** A screenshot; a tiny one where a large one would be most of the session (MusePi keeps large ones outside it). */
function picture(story: Story): Block {
  const { shapes, onBlob } = story.options;
  const n = story.random.below(18);
  return { ...imageBlock(screenshot(shapes === 'musepi' || story.bytesLeft() > 500_000 ? n : n - (n % 3)), shapes, onBlob) };
}

/** The provider fails or the person presses Escape. */
function breakOff(story: Story): void {
  const { random } = story;
  if (random.chance(0.5)) return assistant(story, [], 'error', random.pick(ERRORS));
  const cut = answer(random, story.language, 80).slice(0, random.range(5, 70));
  assistant(story, [{ type: 'text', text: cut }], 'aborted', 'Request was aborted.');
}

function finalBlocks(story: Story): Block[] {
  const text = answer(story.random, story.language, story.textSize(520, 0.8));
  return [...thinkingBlocks(story, 0.3), { type: 'text', text }];
}

function thinkingBlocks(story: Story, probability: number): Block[] {
  const { random } = story;
  if (!story.thinks || !random.chance(probability)) return [];
  const thinking = thought(random, story.language, story.textSize(260, 0.9));
  return [
    { type: 'thinking', thinking, thinkingSignature: noise64(() => random.uint(), Math.round(thinking.length * 0.8) + 120) },
  ];
}

function callBlock(story: Story, use: ToolUse): Block {
  const id = `toolu_${story.random.hex(22)}`;
  return { type: 'toolCall', id, name: use.name, arguments: use.arguments };
}

function assistant(story: Story, content: Block[], stopReason: string, errorMessage?: string): void {
  const { random, log, model } = story;
  const started = log.clock;
  log.wait(random.logNormal(5500, 0.7));
  const fresh = Math.round(story.tokens * (random.chance(0.05) ? 0.9 : 0.02)) + 40;
  const written = stopReason === 'error' ? 0 : random.range(40, 1800);
  const cacheWrite = model.price.cacheWrite > 0 ? Math.round(fresh * 0.8) : 0;
  append(story, {
    role: 'assistant',
    content,
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: usage(model, fresh - cacheWrite, written, Math.max(0, story.tokens - fresh), cacheWrite),
    stopReason,
    timestamp: started,
    ...(errorMessage === undefined ? {} : { errorMessage }),
  });
}

function append(story: Story, message: object): string {
  const before = story.log.bytes;
  const id = story.log.append('message', { message });
  story.tokens += Math.round((story.log.bytes - before) / 4);
  return id;
}
