import { describe, expect, it } from 'vitest';

import { buildReason } from '../launch/build.mjs';
import { reason } from '../launch/install.mjs';
import { isNewEnough } from '../launch/node-version.mjs';

const ONE_SENTENCE = /^[^\n]+$/;

describe('isNewEnough', () => {
  it.each([
    ['12.22.12', false],
    ['20.18.3', false],
    ['20.19.0', true],
    ['20.20.2', true],
    ['22.0.0', true],
    ['100.1.0', true],
  ])('Node %s: %s', (version, expected) => {
    expect(isNewEnough(version)).toBe(expected);
  });
});

describe('why an install failed', () => {
  it.each([
    [127, '', 'install npm'],
    [130, '', 'interrupted'],
    [1, 'WARN GET https://registry.example/x error (ENOTFOUND). Will retry', 'cannot be reached'],
    [1, 'npm error code EAI_AGAIN', 'cannot be reached'],
    [1, 'ENOSPC: no space left on device, write', 'disk is full'],
    [1, 'EACCES: permission denied, mkdir', 'cannot be written'],
    [1, 'ERR_PNPM_OUTDATED_LOCKFILE  Cannot install', 'does not fit'],
    [1, 'something else', 'delete node_modules'],
  ])('exit code %i with %j', (code, log, words) => {
    const sentence = reason(code, log);
    expect(sentence).toContain(words);
    expect(sentence).toMatch(ONE_SENTENCE);
  });
});

describe('why a build failed', () => {
  it.each([
    ["Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'vite'", 'install is broken'],
    ["src/a.ts(3,1): error TS2307: Cannot find module './b.ts'", 'src/a.ts(3,1): error TS2307'],
    ['ENOSPC: no space left on device', 'disk is full'],
    ['', 'could not be built'],
  ])('%j', (log, words) => {
    const sentence = buildReason('server', log, '/log');
    expect(sentence).toContain(words);
    expect(sentence).toMatch(ONE_SENTENCE);
  });
});
