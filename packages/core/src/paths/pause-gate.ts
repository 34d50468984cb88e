import type { Disk } from '../disk/disk.ts';
import { readPause, removePause, writePause } from './pause.ts';

/**
 * Which sessions of a host stand still. A session's own pause lies in the journal and is found again after a restart; that of
 * the whole process is in memory only, and leaves those of the sessions as they are.
 */
export class PauseGate {
  readonly #journalDir: string;
  readonly #disk: Disk;
  readonly #now: () => number;
  #processPaused = false;

  /** @param now epoch ms */
  constructor(journalDir: string, disk: Disk, now: () => number = Date.now) {
    this.#journalDir = journalDir;
    this.#disk = disk;
    this.#now = now;
  }

  get processPaused(): boolean {
    return this.#processPaused;
  }

  pauseProcess(): void {
    this.#processPaused = true;
  }

  resumeProcess(): void {
    this.#processPaused = false;
  }

  /** Must the session stand still, for its own pause or that of the process? @throws `storage_io`, `invalid_argument` */
  isPaused(sessionId: string): boolean {
    return readPause(this.#journalDir, sessionId, this.#disk) !== null || this.#processPaused;
  }

  /** @throws `storage_io`, `invalid_argument` */
  pause(sessionId: string): void {
    writePause(this.#journalDir, sessionId, this.#now(), this.#disk);
  }

  /** Ends the session's own pause; to be called, too, when it is deleted. @throws `storage_io`, `invalid_argument` */
  resume(sessionId: string): void {
    removePause(this.#journalDir, sessionId, this.#disk);
  }
}
