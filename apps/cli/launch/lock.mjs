import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { codeOf, say, STATE } from './workspace.mjs';

const LOCK = path.join(STATE, 'lock');
const OWNER = path.join(LOCK, 'owner');
const BEAT_MS = 2_000;
/** A lock whose owner has not touched it for so long is left over from a process that was killed. */
const STALE_MS = 30_000;

/**
 * Runs `work` while no other process installs or builds in this workspace.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(work) {
  mkdirSync(STATE, { recursive: true });
  for (let tries = 0; !take(); tries++) {
    if (tries === 4) say('Another Stemma command is installing or building here; waiting for it…');
    if (isStale()) breakLock();
    else await sleep(250);
  }
  const beat = setInterval(() => {
    const now = new Date();
    if (existsSync(OWNER)) utimesSync(OWNER, now, now);
  }, BEAT_MS);
  const release = () => rmSync(LOCK, { recursive: true, force: true });
  process.on('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    process.off('exit', release);
    release();
  }
}

/** @returns {boolean} */
function take() {
  try {
    mkdirSync(LOCK);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(OWNER, String(process.pid));
  return true;
}

/** @returns {boolean} */
function isStale() {
  const stat = statSync(OWNER, { throwIfNoEntry: false }) ?? statSync(LOCK, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  return Date.now() - stat.mtimeMs > STALE_MS || ownerIsGone();
}

/** @returns {boolean} */
function ownerIsGone() {
  try {
    process.kill(Number(readFileSync(OWNER, 'utf8')), 0);
    return false;
  } catch (error) {
    // ESRCH: no such process. ENOENT: the owner has not written its number yet, or has just let go. EPERM: somebody else's, alive.
    return codeOf(error) === 'ESRCH';
  }
}

/** Moved away before it is deleted: of two processes that find the same stale lock only one can move it. */
function breakLock() {
  const aside = `${LOCK}-${process.pid}`;
  try {
    renameSync(LOCK, aside);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return;
  }
  rmSync(aside, { recursive: true, force: true });
}
