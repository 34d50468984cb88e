import { summary } from '../text/answers.ts';
import { title } from '../text/prompts.ts';
import { shadowedRange } from './compaction.ts';
import { withContent } from './messages.ts';
import type { DshStory } from './story.ts';
import { DSH_MODELS } from './writer.ts';

/** What stands between two turns: a compaction when the context is full, else now and then something small. */
export function interlude(story: DshStory): void {
  const { random, writer } = story;
  if (writer.tokens > writer.model.contextWindow * 0.8 || random.chance(0.06)) compact(story);
  else if (random.chance(0.08)) prune(story);
  else if (random.chance(0.15)) random.pick(SMALL)(story);
  writer.log.flush();
}

/** What the harness tells the model of the place it works in. */
export function contextSnapshot({ cwd }: DshStory): string {
  return `Current runtime context. This snapshot supersedes earlier ones.\n\nFile policy: workspace-write. Files under "${cwd}" may be changed.\n\nApproval policy: ask.`;
}

/** Replaces everything but the newest messages by a summary, for the model only. */
export function compact(story: DshStory): void {
  const { random, writer } = story;
  const { log } = writer;
  const from = log.form === 4 ? 1 : 0;
  const shadowed = log.surface.slice(from, -4);
  if (shadowed.length < 2) return;
  const text = summary(random, story.language, story.paths.slice(0, 5), story.size(900, 0.3));
  writer.compact(shadowed, text);
  story.longResults.length = 0;
}

/** Trims one old, long result, for the model only. */
function prune({ writer, longResults }: DshStory): void {
  const { log } = writer;
  const old = longResults.shift();
  if (old === undefined) return;
  const { seq, data } = old;
  const range = { start: seq, end: seq };
  const shadowedTokenCount = Math.round(JSON.stringify(data).length / 4);
  log.event('compaction/prune', { shadowedRange: shadowedRange(writer, range), shadowedSeqs: [seq], shadowedTokenCount });
  const content = [{ type: 'text', text: '[An old result was left out.]' }];
  log.event('tool/result', withContent(log.form, data, content), { surfaceOp: range, sourceEventSeqs: [seq] });
}

const SMALL: readonly ((story: DshStory) => void)[] = [
  ({ writer, random, language }) => {
    writer.log.event('session/title', { title: title(random, language), messageSeqs: [], source: { kind: 'user' } });
  },
  ({ writer }) => {
    const commandId = writer.id();
    writer.log.event('command/run', { commandId, name: 'cost', source: { kind: 'user' } });
    writer.log.event('command/done', { commandId, kind: 'success', text: `${writer.tokens} tokens` });
  },
  ({ writer, random }) => void writer.log.event('plan/mode', { active: random.chance(0.5) }),
  ({ writer, random }) => {
    writer.model = random.pick(DSH_MODELS);
    writer.request('change');
  },
  ({ writer }) => {
    // A resume: everything before it is of an earlier life.
    writer.log.wait(3_600_000);
    writer.log.event('session/end-seed', {});
    writer.request('resume');
  },
  ({ writer }) => void writer.log.event('example-notes/note', { text: 'kept by a plugin' }, { ignorable: true }),
];
