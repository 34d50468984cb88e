// Kept in the syntax of Node 12: an older Node must be able to parse it, or its user sees a stack trace instead of the sentence.

/**
 * @param {string} version as in `process.versions.node`
 * @returns {boolean} whether Stemma runs on it
 */
export function isNewEnough(version) {
  const match = /^(\d+)\.(\d+)\./.exec(version);
  if (match === null) return false;
  const major = Number(match[1]);
  return major > 20 || (major === 20 && Number(match[2]) >= 19);
}

/**
 * Says in one sentence that this Node is too old and ends the process with 1; does nothing on a Node that will do.
 */
export function refuseOldNode() {
  if (isNewEnough(process.versions.node)) return;
  process.stderr.write(
    'Stemma needs Node 20.19 or newer and this is Node ' +
      process.versions.node +
      ': install a current Node from https://nodejs.org and run the command again.\n',
  );
  process.exit(1);
}
