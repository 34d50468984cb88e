import { codecFor } from '../codec/registry.ts';
import type { Disk } from '../disk/disk.ts';
import { SessionStoreError } from '../errors.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { FileReader } from './file-reader.ts';
import { fingerprintOf, type FoundLog } from './scan-projects.ts';

/** Decisions that are remembered. Few directories hold a session twice. */
const MAX_KNOWN = 1_000;

/** Chooses among the logs of one session in two encodings: the one with more records counts, the first where both have as many. */
export class LogChooser {
  readonly #disk: Disk;
  readonly #hint: Shapes | null;
  readonly #known = new Map<string, string>();

  constructor(disk: Disk, hint: Shapes | null) {
    this.#disk = disk;
    this.#hint = hint;
  }

  /** The path of the log that counts. What is chosen stays chosen until one of the files changes. */
  async choose(logs: readonly FoundLog[]): Promise<string> {
    const state = logs.map(({ path: at, stat }) => `${at} ${fingerprintOf(at, stat)}`).join('\n');
    const known = this.#known.get(state);
    if (known !== undefined) return known;
    let best = logs[0]!.path;
    let most = -1;
    for (const { path: at } of logs) {
      const records = await this.#records(at);
      if (records > most) best = at;
      most = Math.max(most, records);
    }
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(state, best);
    return best;
  }

  /** Records that can be read of a log: -1 where nothing can. */
  async #records(at: string): Promise<number> {
    const hint = this.#hint === null ? {} : { hint: this.#hint };
    const reader = new FileReader({ disk: this.#disk, path: at, codec: codecFor(at)!, ...hint });
    try {
      await reader.ready;
      return reader.header === null ? reader.outline.rowCount - 1 : reader.outline.rowCount;
    } catch (error) {
      if (!(error instanceof SessionStoreError)) throw error;
      return -1;
    } finally {
      reader.close();
    }
  }
}
