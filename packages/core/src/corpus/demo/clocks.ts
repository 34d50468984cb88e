import { bash, grep, read } from './calls.ts';
import { Tale } from './tale.ts';

const PROJECT = 'work/api';
const TASKS = [
  'List every place below src/ that reads the wall clock (Date.now, new Date()) and say what it is used for.',
  'List every place below test/ that sleeps or waits for real time, with how long.',
] as const;

/** A session that sends two helpers off, and the two files that they leave. */
export function clocks(time: number): Tale[] {
  const main = new Tale({ shapes: 'musepi', project: PROJECT, title: 'Where do we read the clock?', time });
  main
    .user('I want time to be injected everywhere so that tests stop sleeping. Find out how much work that is.')
    .step(
      'Two independent searches: production code and tests.',
      'I look at both sides at the same time.',
      { tool: 'task', args: { agent: 'explore', id: '0', task: TASKS[0] }, out: SOURCES },
      { tool: 'task', args: { agent: 'explore', id: '1', task: TASKS[1] }, out: SLEEPS },
    )
    .answer(VERDICT)
    .user('Start with the three in src/tokens, leave the logger alone.', 4)
    .step(
      '',
      '',
      read(
        'src/tokens/issue.ts',
        'export function issue(user: User): Token {\n  const now = Date.now();\n  return { sub: user.id, iat: now, exp: now + 900_000 };\n}\n',
      ),
    )
    .answer(
      '`issue`, `renew` and `isExpired` take `now` as their last argument now, with no default, so that a forgotten call does not compile.',
    );
  const parentSession = main.id;
  const inside = (n: number): { parent: string; n: number } => ({ parent: main.path, n });
  const first = new Tale({
    shapes: 'musepi',
    project: PROJECT,
    title: 'Clock in src',
    time: time + 70_000,
    parentSession,
    inside: inside(0),
  });
  first
    .entry('session_init', { systemPrompt: SYSTEM, task: TASKS[0], tools: ['read', 'grep', 'find', 'ls'] })
    .user(TASKS[0], 0)
    .step('', '', grep('Date\\.now|new Date\\(\\)', 'src', CLOCK_ROWS))
    .answer(SOURCES);
  const second = new Tale({
    shapes: 'musepi',
    project: PROJECT,
    title: 'Sleeps in test',
    time: time + 71_000,
    parentSession,
    inside: inside(1),
  });
  second
    .entry('session_init', { systemPrompt: SYSTEM, task: TASKS[1], tools: ['read', 'grep', 'find', 'ls'] })
    .user(TASKS[1], 0)
    .step(
      '',
      '',
      grep('setTimeout|sleep\\(', 'test', SLEEP_ROWS),
      bash('npx vitest run --reporter=json | jq .testResults[].perfStats.slow', '11840\n2003\n1502\n'),
    )
    .answer(SLEEPS);
  return [main, first, second];
}

const SYSTEM = 'You search a code base and report what you found. You change nothing.';

const SOURCES = `Seven places:

| file | use |
|---|---|
| src/tokens/issue.ts:2 | expiry |
| src/tokens/renew.ts:9 | expiry |
| src/tokens/check.ts:5 | expiry |
| src/logger.ts:14 | time stamps only |
| src/jobs/queue.ts:31 | back-off |
| src/jobs/queue.ts:58 | back-off |
| src/cache/ttl.ts:7 | time to live |`;

const SLEEPS = `Three tests wait, 15.3 s together: \`tokens.test.ts\` 11.8 s (waits until a token expires), \`queue.test.ts\` 2 s, \`ttl.test.ts\` 1.5 s.`;

const VERDICT = `**Half a day.** Seven reads of the clock, six of which matter, in four modules. Injecting time there removes all three sleeping tests and 15.3 of the
suite's 22 seconds.`;

const CLOCK_ROWS = `src/tokens/issue.ts:2:  const now = Date.now();
src/tokens/renew.ts:9:  if (token.exp > Date.now()) return token;
src/tokens/check.ts:5:  return token.exp <= Date.now();
src/logger.ts:14:  const at = new Date().toISOString();
src/jobs/queue.ts:31:    job.next = Date.now() + delay;
src/jobs/queue.ts:58:    if (job.next > Date.now()) continue;
src/cache/ttl.ts:7:  return entry.until < Date.now();
`;

const SLEEP_ROWS = `test/tokens.test.ts:41:  await sleep(11_800);
test/queue.test.ts:77:  await new Promise((done) => setTimeout(done, 2000));
test/ttl.test.ts:19:  await sleep(1500);
`;
