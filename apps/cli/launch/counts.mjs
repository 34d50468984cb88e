/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** A runner that broke off counts as one failure, however many of its tests had passed. */
const withExit = (/** @type {Counts} */ counts, /** @type {number} */ code) =>
  code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;

/** @type {Counts} what a runner that left no report counts as */
export const CRASHED = { passed: 0, failed: 1, skipped: 0 };

/**
 * @param {any} report of `vitest --reporter=json`
 * @param {number} code exit code of the runner
 * @returns {Counts} a test file that could not be loaded counts as one failure
 */
export function vitestCounts(report, code) {
  const broken = report.testResults.filter(
    (/** @type {any} */ file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const skipped = report.numPendingTests + (report.numTodoTests ?? 0);
  return withExit({ passed: report.numPassedTests, failed: report.numFailedTests + broken, skipped }, code);
}

/**
 * @param {any} report of Playwright's json reporter
 * @param {number} code exit code of the runner
 * @returns {Counts} a flaky test counts as failed
 */
export function playwrightCounts(report, code) {
  const { expected, unexpected, flaky, skipped } = report.stats;
  return withExit({ passed: expected, failed: unexpected + flaky, skipped }, code);
}

/** @param {Counts[]} all @returns {Counts} */
export const sum = (all) =>
  all.reduce(
    (total, one) => ({
      passed: total.passed + one.passed,
      failed: total.failed + one.failed,
      skipped: total.skipped + one.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );

/** @param {Counts} counts @returns {string} the line that `npm test` closes with */
export const line = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
