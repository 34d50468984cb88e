import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { SessionFile } from './session-file.ts';

/** What the journeys look for. Written down here once, so that a journey says what it reads and not how it was made. */
export const REDIRECT = {
  title: 'Redirect loop after login',
  prompt: 'Why does the login page redirect to itself?',
  folded: 'Look at the proxy configuration first, please.',
  abandonedPrompt: 'Store the session in a signed token instead.',
  abandonedAnswer: 'A signed token would avoid the cookie altogether.',
  activePrompt: 'Set the cookie on the parent domain.',
  activeAnswer: 'The cookie is now set on the parent domain and the loop is gone.',
  summary: 'The proxy strips the Secure flag, so the browser drops the cookie and the login starts again.',
  label: 'works',
  command: 'curl -sI https://app.example.test/login',
  output: 'HTTP/2 302',
} as const;

export const CHINESE = {
  title: '修复登录页面',
  prompt: '登录按钮点击后没有反应，请检查事件处理。',
  answer: '表单的提交事件被阻止了，已经修复。',
} as const;

export const DAMAGED = {
  prompt: 'Rename the helper and its callers.',
  answer: 'Renamed in four files.',
  after: 'And its test.',
} as const;

/** A session with two branches, a compaction on the active one, a label, and a tool call with its result. */
function redirectLoop(): SessionFile {
  const file = new SessionFile('0195a1c0-0000-7000-8000-000000000001', '/home/ada/work/api');
  file.add({ type: 'session_info', name: REDIRECT.title });
  file.add({ type: 'model_change', provider: 'anthropic', modelId: 'claude-sonnet-4-5' });
  file.user(REDIRECT.prompt);
  file.assistant('I will ask the server.', { id: 'call_1', name: 'bash', arguments: { command: REDIRECT.command } });
  file.toolResult('call_1', 'bash', `${REDIRECT.output}\nlocation: /login`);
  file.assistant('It answers with a redirect to the same page.');
  file.user(REDIRECT.folded);
  file.assistant('The proxy rewrites the Set-Cookie header.');
  const kept = file.user('What are the ways out?');
  const fork = file.assistant('Either a signed token, or a cookie on the parent domain.');
  file.user(REDIRECT.abandonedPrompt);
  file.assistant(REDIRECT.abandonedAnswer);
  file.goTo(fork);
  file.add({ type: 'compaction', summary: REDIRECT.summary, firstKeptEntryId: kept, tokensBefore: 48_000 });
  file.user(REDIRECT.activePrompt);
  const answer = file.assistant(REDIRECT.activeAnswer);
  file.add({ type: 'label', targetId: answer, label: REDIRECT.label });
  return file;
}

function chinese(): SessionFile {
  const file = new SessionFile('0195a1c0-0000-7000-8000-000000000002', '/home/ada/work/site');
  file.add({ type: 'session_info', name: CHINESE.title });
  file.user(CHINESE.prompt);
  file.assistant(CHINESE.answer);
  return file;
}

/** A line that is no JSON in the middle, and a last line that was cut off while it was written. */
function damaged(): SessionFile {
  const file = new SessionFile('0195a1c0-0000-7000-8000-000000000003', '/home/ada/work/api');
  file.user(DAMAGED.prompt);
  file.assistant(DAMAGED.answer);
  file.line('{"type":"message","id":"broken","parentId":');
  file.user(DAMAGED.after);
  file.torn('{"type":"message","id":"torn","parentId":"0000');
  return file;
}

/** Writes the sessions of the journeys into an agent folder, as Pi keeps them. */
export function writeSessions(agent: string): void {
  for (const session of [redirectLoop(), chinese(), damaged()]) {
    const bucket = path.join(agent, 'sessions', `--${session.cwd.slice(1).replaceAll('/', '-')}--`);
    mkdirSync(bucket, { recursive: true });
    writeFileSync(path.join(bucket, session.name), session.toString());
  }
}
