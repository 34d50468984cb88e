import type { SessionStatus } from '../outline/summary.ts';

/** What a list says of a session. Times are epoch ms. */
export interface SessionInfo {
  /** Where it lies, or its id where it lies in no file: what `SessionManager.open` takes. */
  path: string;
  id: string;
  /** As the header has it; empty when it has none. */
  cwd: string;
  /** The name that a person or an agent gave. */
  name?: string;
  /** What the header says of its parent: a path, or an id. */
  parentSessionPath?: string;
  /** By the header; null when it says no time. */
  created: number | null;
  /** musepi: the time of the file. pi: the last prompt or answer, else the header's time, else that of the file. */
  modified: number;
  /** Messages of all roles on all branches. From the ends of a file only: at least so many. */
  messageCount: number;
  /** The first prompt, its texts joined by spaces. Absent when there is none, or it stands too far from the beginning. */
  firstMessage?: string;
  /** Texts of prompts and answers, joined by spaces: all, or those in the ends of the file. */
  allMessagesText: string;
  /** Bytes. */
  size: number;
  /** How it ended, by the last message; `unknown` when that is longer than what was read. */
  status: SessionStatus;
}

/** A session as a person is offered it again. */
export interface RecentSession {
  path: string;
  id: string;
  cwd: string;
  /** The first line of its name, else of its first message, else a stand-in with the time of its beginning; never its id. */
  name: string;
  /** `just now`, `5m ago`, `3h ago`, `2d ago`, then the date. */
  timeAgo: string;
  modified: number;
  size: number;
}
