/** Going back in the tree, and folding the past into a summary. */
import { wordRun } from '../text/prose.ts';
import { summary } from '../text/answers.ts';
import { checkpoint } from './system.ts';
import type { Story } from './story.ts';

/** Tokens at which a session is compacted. */
const COMPACT_AT = 170_000;

/** Goes back to an earlier place, so that the next entry opens a branch. False when there is nowhere to go. */
export function fork(story: Story): boolean {
  const { random, log } = story;
  const near = random.chance(0.7) ? Math.max(0, story.anchors.length - 12) : 0;
  const anchor = story.anchors[random.range(near, story.anchors.length - 1)];
  if (anchor === undefined || log.leaf === null || anchor.leaf === null || anchor.leaf === log.leaf) return false;
  const abandoned = log.leaf;
  log.leaf = anchor.leaf;
  story.turns = anchor.turns;
  story.tokens = anchor.tokens;
  story.system = anchor.system;
  story.leaves++;
  log.wait(random.logNormal(20_000, 1));
  if (random.chance(0.4) && story.entriesLeft() > 2) {
    const text = summary(random, story.language, story.paths.slice(0, 3), story.textSize(700, 0.5));
    story.dialect.branchSummary(log, abandoned, text);
  } else if (random.chance(0.15) && story.dialect.name === 'musepi' && story.entriesLeft() > 2) {
    // An empty summary marks the position for the next start.
    story.dialect.branchSummary(log, abandoned, '');
  }
  return true;
}

/** Compacts when the context is full. */
export function compactWhenFull(story: Story): void {
  if (story.tokens < COMPACT_AT || story.entriesLeft() < 3) return;
  compact(story);
}

/** Writes a compaction that keeps the last one to three turns of the path. */
export function compact(story: Story): void {
  const { random, log, turns } = story;
  const firstKeptEntryId = turns[Math.max(0, turns.length - random.range(1, 3))];
  if (firstKeptEntryId === undefined) return;
  log.wait(random.logNormal(25_000, 0.4));
  const modifiedFiles = story.files(true);
  story.dialect.compaction(log, {
    summary: summary(random, story.language, modifiedFiles, story.textSize(2600, 0.4)),
    short: wordRun(random, random.range(3, 7)),
    firstKeptEntryId,
    tokensBefore: story.tokens,
    readFiles: story.files(false),
    modifiedFiles,
    systemMessage: checkpoint(story),
  });
  story.turns = turns.slice(turns.indexOf(firstKeptEntryId));
  story.tokens = random.range(9000, 30_000);
}
