/** What happens between turns: settings, shell commands of the person, labels, entries of extensions, pauses. */
import { wordRun } from '../text/prose.ts';
import { title } from '../text/prompts.ts';
import { zipfWord } from '../text/vocabulary.ts';
import * as terminal from '../text/terminal.ts';
import { MODELS, usage } from './models.ts';
import { patchPrompt } from './system.ts';
import type { Story } from './story.ts';

const LEVELS = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'];

/** Writes at most one entry, and most of the time none. */
export function interlude(story: Story): void {
  pause(story);
  const n = story.random.below(1000);
  if (n < 30) bashExecution(story);
  else if (n < 60) label(story);
  else if (n < 75) changeModel(story);
  else if (n < 95) story.dialect.thinkingLevel(story.log, story.random.pick(LEVELS));
  else if (n < 115)
    story.log.appendCustom('custom', {
      customType: 'todo-list',
      data: { open: [wordRun(story.random, 5)], done: story.random.below(9) },
    });
  else if (n < 135) customMessage(story);
  else if (n < 145) story.dialect.rename(story.log, title(story.random, story.language));
  else if (n < 150) story.dialect.sideUsage(story.log, story.model, usage(story.model, 900, 12, 0, 0));
  else if (n < 200) ofTheShape(story, n - 150);
}

/** The one entry of an interlude that is always there; fills a session up to its exact number of entries. */
export function filler(story: Story): void {
  story.log.appendCustom('custom', { customType: 'session-note', data: { text: wordRun(story.random, 6) } });
}

function pause({ random, log }: Story): void {
  if (random.chance(0.06)) log.wait(random.logNormal(2_400_000, 0.6));
  const hour = new Date(log.clock).getUTCHours();
  if (hour >= 19 || hour < 6) log.wait((hour >= 19 ? 32 - hour : 8 - hour) * 3_600_000 + random.below(5_400_000));
}

function bashExecution(story: Story): void {
  const { random, log } = story;
  const failed = random.chance(0.2);
  const size = story.size(600, 1.2);
  const output = failed ? terminal.stackTrace(random, story.paths) : terminal.testRun(random, story.paths, size, 0);
  const command = random.pick(['npm test', 'git status', 'make check', 'docker compose ps', `cat ${random.pick(story.paths)}`]);
  const hidden = random.chance(0.2) ? { excludeFromContext: true } : {};
  log.append('message', {
    message: {
      role: 'bashExecution',
      command,
      output,
      exitCode: failed ? 1 : 0,
      cancelled: false,
      truncated: false,
      ...hidden,
      timestamp: log.clock,
    },
  });
}

/** Sets a label, moves one to another entry, or clears one. */
function label(story: Story): void {
  const { random, log, labels, turns } = story;
  const target = turns[turns.length - 1];
  const last = labels[labels.length - 1];
  if (last !== undefined && random.chance(0.25)) {
    log.append('label', { targetId: last.target });
    labels.pop();
    return;
  }
  if (target === undefined) return;
  const text =
    last !== undefined && random.chance(0.2)
      ? last.label
      : random.pick(['works', 'before refactor', 'good', '回来看', zipfWord(random)]);
  log.append('label', { targetId: target, label: text });
  labels.push({ target, label: text });
  if (labels.length > 20) labels.shift();
}

function changeModel(story: Story): void {
  const { random, log } = story;
  const to = random.pick(MODELS);
  if (story.dialect.name === 'musepi' && random.chance(0.3)) {
    story.dialect.modelChange(log, to, 'smol');
    return;
  }
  story.model = to;
  story.dialect.modelChange(log, to);
}

function customMessage({ random, log, dialect }: Story): void {
  const content = random.chance(0.5) ? wordRun(random, 14) : [{ type: 'text', text: wordRun(random, 20) }];
  const attribution = dialect.name === 'musepi' ? { attribution: random.chance(0.3) ? 'user' : 'agent' } : {};
  log.appendCustom('custom_message', {
    customType: 'reminder',
    content,
    display: random.chance(0.7),
    details: { source: zipfWord(random) },
    ...attribution,
  });
}

/** Entries that only one of the agents knows. `n`: 0 … 49. */
function ofTheShape(story: Story, n: number): void {
  const { random, log, turns } = story;
  if (story.dialect.name === 'pi') {
    if (n >= 30) patchPrompt(story);
    const targetId = turns[0];
    if (n < 10 && targetId !== undefined)
      log.append('context_edit', { targetId, replacement: random.chance(0.5) ? null : { content: wordRun(random, 9) } });
    return;
  }
  if (n < 10)
    log.append('service_tier_change', { serviceTier: random.chance(0.3) ? null : { openai: random.pick(['flex', 'priority']) } });
  else if (n < 20)
    log.append('mode_change', random.chance(0.5) ? { mode: 'plan', data: { planFile: 'plan.md' } } : { mode: 'none' });
  else if (n < 30) log.append('ttsr_injection', { injectedRules: [`no-${zipfWord(random)}`, 'imports-first'] });
  else if (n < 33) log.append('credential_pin', { provider: story.model.provider, hash: random.hex(16) });
  else if (n < 34) log.append('reset_boundary', {});
  else if (n < 37 && turns[0] !== undefined) log.append('archive', { targetId: turns[0], archived: random.chance(0.7) });
  else if (n < 40) log.append('mcp_tool_selection', { selectedToolNames: ['search', 'fetch'] });
}
