import type { SessionEntry, SessionHeader } from '../entries/entry.ts';
import type { Outline } from '../outline/outline.ts';
import type { Problem } from '../problems.ts';
import type { Shapes } from '../shapes/define-shapes.ts';

export type RefreshResult = 'same' | 'appended' | 'rewritten';

/**
 * A session as everything that browses sees it, whatever it lies in. Decoding starts when the reader is made; rows
 * can be asked for as they come. While the epoch stays, rows keep their numbers and their parents.
 */
export interface SessionReader {
  /** Resolves when all that was there at the start is decoded; rejects with `session_not_found`, `storage_io` or `cancelled`. */
  readonly ready: Promise<void>;
  readonly complete: boolean;
  readonly progress: { bytes: number; totalBytes: number };
  readonly header: SessionHeader | null;
  readonly shapes: Shapes;
  readonly outline: Outline;
  readonly problems: Problem[];
  readonly problemsTotal: number;
  /** Changes when rows lose their meaning. */
  readonly epoch: string;
  /** Changes with every change of the file. */
  readonly revision: string;
  /** Looks whether the file has changed and decodes what was appended. */
  refresh(): Promise<RefreshResult>;
  /** Bodies in the current version's form, in the order asked for. */
  load(rows: readonly number[]): Promise<SessionEntry[]>;
  /** The stored bytes of one entry, without the line's end. */
  loadRaw(row: number): Promise<Uint8Array>;
  /** Stored bytes from `offset` on, whatever they are; fewer than `length` at the end of what was decoded. */
  loadBytes(offset: number, length: number): Promise<Uint8Array>;
  /** Stops decoding and lets go of the file. */
  close(): void;
}
