/** What a caller can ask of the generators. All times are epoch ms; nothing here reads a clock. */

export type CorpusShape = 'musepi' | 'pi';

/** Monday, 5 January 2026, 08:30 UTC: when generated work starts unless told otherwise. */
export const DEFAULT_TIME = Date.UTC(2026, 0, 5, 8, 30);
export const DEFAULT_HOME = '/home/ada';

export interface SessionOptions {
  seed: number;
  shapes: CorpusShape;
  /** Exactly this many entries (the header and the title slot are not entries). */
  entries?: number;
  /** About this many bytes in all, LFs included. With `entries`, the average entry is scaled to meet both. */
  bytes?: number;
  /** Exactly this many leaves. Without it sessions fork now and then. */
  branches?: number;
  /** A pure chain: every entry has at most one child. */
  chain?: boolean;
  /** When the session starts. */
  time?: number;
  cwd?: string;
  home?: string;
  /** Without it some sessions get one that is made up, and some get none. */
  title?: string;
  /** Session id; without it one is made from seed and time. */
  id?: string;
  parentSession?: string;
  /** Start as a fork: whole turns of the session with `options` until `after` entries are there or it ends; then on as told here. */
  forkOf?: { options: SessionOptions; after: number };
  /** How many sub-sessions the session starts (`task` calls, musepi only). */
  subSessions?: number;
  /** The prompt of a sub-session; makes the file start with `session_init` (musepi only). */
  task?: string;
  /** Called with every image that is stored outside the file (musepi only), before the line that refers to it. */
  onBlob?: (hash: string, bytes: Uint8Array) => void;
}

export interface CorpusOptions {
  seed: number;
  /** How many top-level sessions; sub-sessions come on top. */
  sessions: number;
  /** About this many bytes over all session files (blobs not counted). Default: 300 KB a session. */
  bytes?: number;
  shapes: CorpusShape | 'both';
  /** The first session's start; sessions then spread over `days`. */
  time?: number;
  days?: number;
  home?: string;
}

export type StoreEncoding = 'raw' | 'zstd';

/** One file of a corpus; `path` is relative to the agent folder, with `/`. */
export interface CorpusFile {
  path: string;
  /** Lines without LF; each is followed by one. Lazy: read it once, in order. */
  lines?: Iterable<string>;
  /** A session as whole append batches of lines, instead of `lines`: the header alone, then what reached the disk together. */
  batches?: Iterable<readonly string[]>;
  /** How `batches` are stored. Default raw; `zstd` makes each of them a frame. */
  encoding?: StoreEncoding;
  /** The content of a blob. */
  bytes?: Uint8Array;
}
