import { Random } from '../base/random.ts';
import { DEFAULT_HOME, DEFAULT_TIME } from '../options.ts';
import { interlude } from './interludes.ts';
import { uuidV4 } from './messages.ts';
import type { Batch, DshSessionOptions } from './options.ts';
import { DshStory } from './story.ts';
import { writeTurn, writeUnendedTurn } from './turn.ts';

/** Who a generated log says it is. `time` in epoch ms. */
export function dshIdentity(options: DshSessionOptions): { id: string; cwd: string; time: number } {
  const { seed, time = DEFAULT_TIME, home = DEFAULT_HOME, cwd = `${home}/work/api` } = options;
  const random = new Random(seed, 24);
  const uuid = uuidV4(() => random.uint());
  return { id: options.id ?? (options.delegated === undefined ? `session-${uuid}` : uuid), cwd, time };
}

/**
 * The append batches of one log, the header line alone first. Lazy: memory does not grow with the size, but for the
 * surface and what a fork inherits. The same options give the same lines on every machine. Throws a RangeError for a
 * size that is not positive.
 */
export function* generateDshSession(options: DshSessionOptions): Generator<Batch, void, undefined> {
  const { forkOf, bytes = 1, turns = 1, ending } = options;
  if (!(bytes >= 1 && turns >= 1)) throw new RangeError(`a size must be at least 1, got ${Math.min(bytes, turns)}`);
  const { cwd } = dshIdentity(options);
  const story = new DshStory({ ...(forkOf?.options ?? options), form: options.form, cwd });
  const inherited = forkOf === undefined ? [] : inherit(story, forkOf.turns);
  const { log } = story.writer;
  yield [dshHeader(options, forkOf === undefined ? undefined : log.seq)];
  if (forkOf !== undefined) {
    yield inherited;
    story.leaveOriginal({ ...options, cwd });
    log.event('session/end-seed', options.form === 0 ? {} : { inherited: true });
  } else open(story, options);
  while (!story.finished()) {
    writeTurn(story, taskOf(story));
    if (!story.finished()) interlude(story);
    yield* log.take();
  }
  if (ending !== undefined) writeUnendedTurn(story, ending);
  log.flush();
  yield* log.take();
}

/** The header line. `seedLength`: how many events a fork inherits. */
export function dshHeader(options: DshSessionOptions, seedLength?: number): string {
  const { form, forkOf, delegated } = options;
  const { id, cwd, time } = dshIdentity(options);
  const parentSession = delegated?.parent ?? (forkOf === undefined ? undefined : dshIdentity(forkOf.options).id);
  const seeded = form === 0 ? { seedLength } : { isSeeded: seedLength !== undefined };
  const origin = delegated === undefined ? undefined : 'subagent';
  const delegationDepth = delegated === undefined ? 0 : 1;
  // What is undefined is left out.
  return JSON.stringify({
    type: 'session',
    version: form,
    id,
    createdAt: time,
    cwd,
    parentSession,
    ...seeded,
    origin,
    delegationDepth,
  });
}

/** The first turns of the original, as lines of one batch. */
function inherit(story: DshStory, turns: number): Batch {
  const { log } = story.writer;
  log.isSeeding = true;
  open(story, story.options);
  while (story.writer.turn < turns) {
    writeTurn(story);
    interlude(story);
  }
  log.isSeeding = false;
  log.flush();
  return log.take().flat();
}

/** What a log says before its first turn. */
function open({ writer }: DshStory, { delegated, form }: DshSessionOptions): void {
  const { log, model } = writer;
  if (delegated === undefined) {
    log.event('sandbox/mode', { mode: 'workspace-write' });
    log.event('approval/policy', { policy: 'ask' });
    return;
  }
  const who = { label: delegated.task.slice(0, 40), agentProvider: model.provider, agentModel: model.model };
  log.event('subagent/descriptor', { version: form === 0 ? 2 : 3, mode: 'one-shot', provider: 'spawn', ...who });
  if (form === 0) log.event('session/end-seed', {});
  log.event('approval/policy', { policy: 'never', source: 'delegation' });
}

function taskOf({ writer, options }: DshStory): string | undefined {
  return writer.turn === 0 ? options.delegated?.task : undefined;
}
