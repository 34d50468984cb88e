import { describe, expect, it } from 'vitest';

import { line, playwrightCounts, sum, vitestCounts } from '../launch/counts.mjs';

const file = (status: string, tests: number) => ({ status, assertionResults: Array.from({ length: tests }, () => ({})) });
const vitest = (passed: number, failed: number, files: unknown[] = [], pending = 0) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: pending,
  numTodoTests: 0,
  testResults: files,
});

describe('vitestCounts', () => {
  it('takes the figures of the report', () => {
    expect(vitestCounts(vitest(7, 2, [file('failed', 9)], 1), 1)).toEqual({ passed: 7, failed: 2, skipped: 1 });
  });

  it('counts a file that could not be loaded', () => {
    expect(vitestCounts(vitest(7, 0, [file('passed', 7), file('failed', 0)]), 1)).toEqual({ passed: 7, failed: 1, skipped: 0 });
  });

  it('counts a run that ended badly although every test passed', () => {
    expect(vitestCounts(vitest(7, 0, [file('passed', 7)]), 1).failed).toBe(1);
    expect(vitestCounts(vitest(7, 0, [file('passed', 7)]), 0).failed).toBe(0);
  });
});

describe('playwrightCounts', () => {
  it('counts a flaky test as failed', () => {
    const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 2 };
    expect(playwrightCounts({ stats }, 1)).toEqual({ passed: 5, failed: 2, skipped: 2 });
  });

  it('counts a server that did not start', () => {
    expect(playwrightCounts({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 } }, 1).failed).toBe(1);
  });
});

describe('the closing line', () => {
  it('adds up the steps', () => {
    const total = sum([
      { passed: 1, failed: 0, skipped: 0 },
      { passed: 40, failed: 2, skipped: 0 },
    ]);
    expect(line(total)).toBe('41 passed, 2 failed');
  });

  it('names skipped tests only when there are some', () => {
    expect(line({ passed: 1, failed: 0, skipped: 3 })).toBe('1 passed, 0 failed, 3 skipped');
  });
});
