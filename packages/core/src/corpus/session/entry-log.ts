import { hex32, mix32 } from '../base/random.ts';

/** Entries as they come into being: hands out ids, keeps the leaf and the clock, and queues finished lines. */
export class EntryLog {
  /** The entry that the next one hangs under. */
  leaf: string | null = null;
  /** Epoch ms of the newest entry. */
  clock: number;
  /** Entries and bytes (with LFs) so far; the header counts as bytes only. */
  count = 0;
  bytes = 0;
  private readonly key: number;
  private serial = 0;
  private queue: string[] = [];

  constructor(key: number, clock: number) {
    this.key = key;
    this.clock = clock;
  }

  /** A line that is no entry: header, title slot. */
  preamble(line: string): void {
    this.push(line);
  }

  /** Appends under the leaf and makes the new entry the leaf. Answers its id. */
  append(type: string, payload: object): string {
    return this.add({ type, id: '', parentId: null, timestamp: '', ...payload });
  }

  /** As `append`, with the payload in front of id, parent and time, where the agents write custom entries so. */
  appendCustom(type: string, payload: object): string {
    return this.add({ type, ...payload, id: '', parentId: null, timestamp: '' });
  }

  /** Moves the clock on by `ms`. */
  wait(ms: number): void {
    this.clock += Math.max(1, Math.round(ms));
  }

  /** From here on ids come from a range that the same key has not used yet: the log goes on as a fork. */
  leaveOriginal(): void {
    this.serial = (this.serial | 0x80000000) >>> 0;
  }

  /** The lines since the last call. */
  take(): string[] {
    const lines = this.queue;
    this.queue = [];
    return lines;
  }

  private add(entry: { type: string; id: string; parentId: string | null; timestamp: string }): string {
    // mix32 is a bijection, so ids never repeat and no set of them has to be kept.
    entry.id = hex32(mix32((this.serial ^ this.key) >>> 0));
    entry.parentId = this.leaf;
    entry.timestamp = new Date(this.clock).toISOString();
    this.serial = (this.serial + 1) >>> 0;
    this.leaf = entry.id;
    this.count++;
    this.push(JSON.stringify(entry));
    return entry.id;
  }

  private push(line: string): void {
    this.bytes += utf8Length(line) + 1;
    this.queue.push(line);
  }
}

/** Bytes of a string as UTF-8. */
export function utf8Length(text: string): number {
  let extra = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // The halves of a pair count two each: four bytes together.
    if (unit > 127) extra += unit > 2047 && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return text.length + extra;
}
