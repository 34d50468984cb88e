import { answer, thought } from '../text/answers.ts';
import { prompt } from '../text/prompts.ts';
import type { AnswerBlock } from './answer.ts';
import { callBlock, planCall } from './calls.ts';
import { contextSnapshot } from './interludes.ts';
import type { DshEnding } from './options.ts';
import type { DshStory } from './story.ts';

/** One turn: a prompt, steps with calls, an answer; now and then a retry, a stop by the person or an error. */
export function writeTurn(story: DshStory, text = prompt(story.random, story.language, story.paths)): void {
  const { random, writer } = story;
  open(story, text);
  for (let steps = stepCount(story); steps > 0; steps--) {
    if (random.chance(0.02)) retry(story);
    workingStep(story);
    writer.startStep();
  }
  const fate = random.unit();
  if (fate < 0.03) return stop(story);
  if (fate < 0.05) return fail(story);
  writer.request();
  writer.answer([...reasoning(story, 0.5), { type: 'text', text: answer(random, story.language, story.size(500, 0.8)) }]);
  writer.endStep();
  writer.endTurn();
}

/** A last turn that nobody ended: the harness was gone. */
export function writeUnendedTurn(story: DshStory, ending: DshEnding): void {
  const { random, writer } = story;
  open(story, prompt(random, story.language, story.paths));
  writer.request();
  if (ending === 'mid-answer') {
    writer.brokenOff([{ type: 'text', text: answer(random, story.language, 400) }], 0.4, false);
    return;
  }
  const block = callBlock(story, 'bash', { command: 'npm run migrate' });
  writer.answer([{ type: 'text', text: 'I run the migration now.' }, block]);
  if (ending === 'outcome-unknown') writer.call(block);
}

function open(story: DshStory, text: string): void {
  const { random, writer } = story;
  const isFirst = writer.turn === 0;
  if (!isFirst) writer.log.wait(random.logNormal(90_000, 1));
  const seq = writer.prompt(text, isFirst ? contextSnapshot(story) : undefined);
  if (!isFirst) return;
  const title = text.replaceAll('\n', ' ').slice(0, 30).trim();
  writer.log.event('session/title', { title, messageSeqs: [seq], source: { kind: 'fallback' } });
}

/** At least one where a sub-agent waits to be started. */
function stepCount({ random, children }: DshStory): number {
  return Math.max(children.length > 0 ? 1 : 0, Math.min(14, Math.floor(random.logNormal(2.2, 0.8))));
}

/** Thinking, perhaps words, one to three calls, then their results. */
function workingStep(story: DshStory): void {
  const { random, writer } = story;
  const calls = Array.from({ length: random.chance(0.75) ? 1 : random.range(2, 3) }, () => planCall(story));
  const words: AnswerBlock[] = random.chance(0.4) ? [{ type: 'text', text: answer(random, story.language, 90) }] : [];
  writer.request();
  writer.answer([...reasoning(story, 0.8), ...words, ...calls.map(({ block }) => block)]);
  for (const { run } of calls) run();
  writer.endStep();
}

function reasoning(story: DshStory, probability: number): AnswerBlock[] {
  const { random, language } = story;
  return random.chance(probability) ? [{ type: 'reasoning', text: thought(random, language, story.size(300, 0.9)) }] : [];
}

function stop(story: DshStory): void {
  const { random, writer } = story;
  writer.request();
  writer.stopped([{ type: 'text', text: answer(random, story.language, 300) }], random.unit() * 0.8);
  writer.endStep();
  writer.endTurn({ kind: 'aborted', reason: { kind: 'user' } });
}

function fail({ writer }: DshStory): void {
  writer.request();
  const error = { message: 'the service is overloaded', code: 'SERVER', status: 503 };
  writer.endStep();
  writer.endTurn({ kind: 'error', error });
}

/** An attempt that breaks off, and the next one that is waited for. */
function retry(story: DshStory): void {
  const { random, writer } = story;
  writer.request();
  writer.brokenOff([{ type: 'text', text: answer(random, story.language, 60) }], 0.5, true);
  const retryId = writer.id();
  const failure = { message: 'connection reset', code: 'TRANSPORT' };
  const { provider } = writer.model;
  const head = { retryId, ...writer.at };
  writer.log.event('llm/retry', { ...head, provider, mode: 'normal', retry: 1, maxRetries: 2, delayMs: 1000, failure });
  writer.log.wait(1000);
  writer.log.event('llm/retry-started', { ...head, retry: 1 });
}
