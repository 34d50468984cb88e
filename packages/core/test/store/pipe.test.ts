import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterAll, expect, it } from 'vitest';

import { SessionManager } from '../../src/manager/session-manager.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'stemma-pipe-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.skipIf(process.platform === 'win32')('a pipe in the place of a session is refused at once', () => {
  const pipe = path.join(folder, 'session.jsonl');
  execFileSync('mkfifo', [pipe]);
  expect(() => SessionManager.open(pipe)).toThrow(expect.objectContaining({ code: 'storage_io' }));
});
