import { Random, uuidV7 } from '../base/random.ts';
import { DEFAULT_TIME, type SessionOptions } from '../options.ts';
import { title } from '../text/prompts.ts';
import { compact, compactWhenFull, fork } from './branches.ts';
import { titleSlot } from './dialect.ts';
import { filler, interlude } from './interludes.ts';
import { Story } from './story.ts';
import { statePrompt } from './system.ts';
import { writeTurn } from './turn.ts';

/** Who a generated session says it is; also what its file is named by. `time` in epoch ms. */
export function sessionIdentity(options: SessionOptions): { id: string; time: number } {
  const { seed, time = DEFAULT_TIME } = options;
  return { id: options.id ?? uuidV7(new Random(seed, 4), time), time };
}

/**
 * The lines of one session file without LFs, header first (or, in some musepi sessions, the title slot). Lazy: memory does not grow
 * with the size. The same options give the same lines on every machine. Throws a RangeError for a size that is not
 * a positive number and for more branches than entries allow (six entries a branch).
 */
export function* generateSession(options: SessionOptions): Generator<string, void, undefined> {
  check(options);
  const story = new Story(options);
  open(story, options);
  yield* story.log.take();
  for (story.leaveOriginal(); !story.finished(); story.leaveOriginal()) {
    if (story.entriesLeft() === 1 && story.log.count > 0) filler(story);
    else {
      writeTurn(story);
      if (story.entriesLeft() > 3 && !story.finished()) between(story);
    }
    yield* story.log.take();
  }
}

function check({ entries, bytes, branches = 1 }: SessionOptions): void {
  for (const size of [entries, bytes, branches]) {
    if (size !== undefined && !(size >= 1)) throw new RangeError(`a size must be at least 1, got ${size}`);
  }
  if (branches > 1 && branches * 6 > (entries ?? Infinity))
    throw new RangeError(`${branches} branches need ${branches * 6} entries`);
}

/** Header and the entries that stand before the first prompt. */
function open(story: Story, options: SessionOptions): void {
  const { dialect, log, random } = story;
  const { id, time } = sessionIdentity(options);
  const named = options.title ?? (random.chance(0.7) ? title(random, story.language) : undefined);
  const slotted = dialect.name === 'musepi' && named !== undefined && random.chance(0.6);
  if (slotted) log.preamble(titleSlot(named, 'auto', time));
  log.preamble(dialect.header({ id, time, cwd: story.cwd, title: named, parentSession: options.parentSession }));
  if (options.task !== undefined && dialect.name === 'musepi') {
    const tools = ['read', 'grep', 'find', 'ls'];
    log.append('session_init', { systemPrompt: 'You explore a code base and report what you find.', task: options.task, tools });
  }
  if (story.entriesLeft() > 4) {
    log.wait(1);
    dialect.thinkingLevel(log, story.thinks ? random.pick(['low', 'medium', 'high']) : 'off');
    dialect.modelChange(log, story.model);
    if (dialect.name === 'pi' && named !== undefined) dialect.rename(log, named);
    if (story.entriesLeft() > 4) statePrompt(story);
  }
}

/** What stands between two turns: compaction, a way back, an interlude. */
function between(story: Story): void {
  const { options, random } = story;
  compactWhenFull(story);
  if (random.chance(0.012) && story.turns.length > 3 && story.entriesLeft() > 3) compact(story);
  if (options.chain !== true && forkIsDue(story)) fork(story);
  if (story.entriesLeft() > 3) interlude(story);
}

/** With a number of branches given they are spread over the session, the last one well before its end; else one turn in fifteen goes back. */
function forkIsDue(story: Story): boolean {
  const { branches, entries, bytes } = story.options;
  if (branches === undefined) return story.random.chance(0.065);
  const done = entries !== undefined ? story.log.count / entries : bytes !== undefined ? story.log.bytes / bytes : 1;
  return story.leaves < branches && done * branches * 1.08 >= story.leaves;
}
