import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ClientProcess } from '../client-process.ts';
import type { Client } from '../clients.ts';
import type { Query, Sent } from './prompts.ts';

const SENT: Sent[] = [
  ['fix the login page', '/work/a', 's1'],
  ['修复登录页面', '/work/a', 's1'],
  ['git commit -m "one"', '/work/b', 's2'],
  ['meet at the café', null, null],
  ['100% of foo_bar   \r\nand error-401', '/work/b', 's2'],
  ['fix the login page', '/work/b', 's3'],
];

const QUERIES: Query[] = [
  ...['fix', 'login page', 'mit', '登录', '页', 'cafe', 'CAFÉ', 'git-commit', '100%', 'foo_bar', '401', '!!!', ''].map(
    (query): Query => [query, 100],
  ),
  ['e', 2],
  ['e', 2.9],
  ['e', -1],
];

/** Lets the client make a database, and keeps it with its answers; a test asks ours the same without any client. */
export async function recordHistory(client: Client, asked: ClientProcess, folder: string): Promise<void> {
  const path = join(folder, 'history.db');
  mkdirSync(folder, { recursive: true });
  rmSync(path, { force: true });
  const request = { path, add: SENT, queries: QUERIES, titles: [['s1', 'One title']], recent: 100 };
  const answer = await asked.request<{ recent: unknown; found: unknown[] }>(request);
  if ('error' in answer) throw new Error(`The client throws: ${answer.error}`);
  const found = QUERIES.map(([query, limit], n) => ({ query, limit, rows: answer.found[n] }));
  const expected = { source: client.title, recent: answer.recent, found };
  writeFileSync(join(folder, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`);
}
