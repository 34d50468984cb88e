// Kept in the syntax of Node 12: an older Node must be able to parse it, or its user sees a stack trace instead of the sentence.

const FLOOR = [20, 19];

/**
 * @param {string} version as in `process.versions.node`
 * @returns {boolean} whether Stemma runs on it
 */
export function isNewEnough(version) {
  const parts = version.split('.').map(Number);
  return parts[0] > FLOOR[0] || (parts[0] === FLOOR[0] && parts[1] >= FLOOR[1]);
}

/**
 * Says in one sentence that this Node is too old and ends the process with 1; does nothing on a Node that will do.
 */
export function refuseOldNode() {
  if (isNewEnough(process.versions.node)) return;
  process.stderr.write(
    'Stemma needs Node ' +
      FLOOR.join('.') +
      ' or newer and this is Node ' +
      process.versions.node +
      ': install a current Node from https://nodejs.org and run the command again.\n',
  );
  process.exit(1);
}
