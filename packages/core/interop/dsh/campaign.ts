import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { plainSegment, projectKey } from '../../src/shapes/projects.ts';
import type { ClientProcess } from '../client-process.ts';
import { firstDifference } from '../compare.ts';
import { Random } from '../random.ts';
import { frameTexts } from './frames.ts';
import { generateLog, type GeneratedLog } from './generate.ts';
import { compareReading, type Reading } from './reading.ts';
import { writeAsOurs } from './ours.ts';

export interface HarnessTally {
  logs: number;
  events: number;
  frames: number;
  different: number;
}

/** What the harness's store answers when it has written a log. */
interface Written extends Reading {
  path: string;
}

/** Logs that the harness's own store writes: where they lie, their frames, and what is in them, event for event. */
export class HarnessCampaign {
  readonly #asked: ClientProcess;
  readonly #home: string;
  readonly #say: (line: string) => unknown;
  readonly #tally: HarnessTally = { logs: 0, events: 0, frames: 0, different: 0 };

  constructor(asked: ClientProcess, home: string, say: (line: string) => unknown) {
    this.#asked = asked;
    this.#home = home;
    this.#say = say;
  }

  async run(from: number, logs: number): Promise<HarnessTally> {
    for (let n = 0; n < logs; n++) {
      const seed = from + n;
      const log = generateLog(new Random(seed), seed * 7, n);
      const difference = await this.#one(log);
      this.#tally.logs++;
      if (difference === null) continue;
      this.#tally.different++;
      this.#say(
        `  seed ${String(seed)}, ${JSON.stringify(log.header.id)} in ${JSON.stringify(log.header.cwd ?? null)}: ${difference}`,
      );
    }
    return this.#tally;
  }

  async #one(log: GeneratedLog): Promise<string | null> {
    const { compression, header, batches } = log;
    // A root of its own for each: two encodings, and ids that differ in nothing that a disk knows.
    const root = join(this.#home, compression);
    const written = await this.#asked.request<Written>({ root, compression, header, batches });
    if ('error' in written) return `the harness throws: ${written.error}`;
    this.#tally.events += written.events.length;
    const bytes = readFileSync(written.path);
    return (
      firstDifference(placeOf(log), relative(root, written.path), 'place') ??
      this.#text(log, bytes) ??
      (await compareReading(root, written.path, written)) ??
      writeAsOurs(join(this.#home, 'ours'), placeOf(log), log)
    );
  }

  /** What lies on the disk is what the generator says that lies there; in frames where it is compressed. */
  #text({ compression, batches }: GeneratedLog, bytes: Uint8Array): string | null {
    const wanted = batches.map((batch) => batch.map((line) => `${line}\n`).join(''));
    if (compression === 'none') {
      const text = Buffer.from(bytes).toString('utf8');
      return firstDifference(wanted.join(''), text.slice(text.indexOf('\n') + 1), 'text');
    }
    const [first = '', ...rest] = frameTexts(bytes);
    this.#tally.frames += rest.length + 1;
    if (first.indexOf('\n') !== first.length - 1) return 'the first frame is not the header alone';
    return firstDifference(wanted, rest, 'frames');
  }
}

function placeOf({ compression, header }: GeneratedLog): string {
  const name = compression === 'zstd' ? 'session.jsonl.zstd' : 'session.jsonl';
  return join(projectKey(header.cwd) ?? '', plainSegment(header.id), name);
}
