/** What a caller can ask of the generator of DeepSeek Harness logs. All times are epoch ms; nothing here reads a clock. */

/** Format versions that are generated: 0 with packed rows of streamed text, 2 with streams inside answers, 4 with role `tool`. */
export type DshForm = 0 | 2 | 4;

/** Where the last turn stops: before a logged call, after it and without a result, or while the answer comes in. */
export type DshEnding = 'not-started' | 'outcome-unknown' | 'mid-answer';

export interface DshSessionOptions {
  seed: number;
  form: DshForm;
  /** About this many bytes of text, LFs included. */
  bytes?: number;
  /** At least this many turns; without `bytes` exactly as many. Default 6. */
  turns?: number;
  time?: number;
  cwd?: string;
  home?: string;
  id?: string;
  /** The last turn is not ended. */
  ending?: DshEnding;
  /** Makes the session a sub-agent's: whose, and the task that it was given. */
  delegated?: { parent: string; task: string };
  /** Starts with the first turns of another session, as a fork does. */
  forkOf?: { options: DshSessionOptions; turns: number };
  /** Sub-agents that the session starts; each is named by its id and told its task. */
  children?: readonly { id: string; task: string }[];
}

/**
 * One append batch: lines without LFs. The first batch of a log is the header line alone; in a compressed log each
 * batch is a frame.
 */
export type Batch = readonly string[];
