import type { SessionStatus } from './summary.ts';

/** What a session does at the moment, as far as its file tells. */
export const LIVE_STATES = ['running', 'waiting', 'paused'] as const;
export type Live = (typeof LIVE_STATES)[number];

/** A file that was written this lately has an agent at it. Tools and answers that take longer look paused. */
const AT_IT_MS = 2 * 60_000;
/** A session that was left in the middle this lately may be taken up again. */
const PAUSED_MS = 60 * 60_000;
/** So lately finished that the person is likely still there. */
const WAITING_MS = 15 * 60_000;

/** Who has the next word by the last message: the agent, the person, or nobody knows. */
const NEXT: Readonly<Record<SessionStatus, 'agent' | 'person' | null>> = {
  pending: 'agent',
  interrupted: 'agent',
  complete: 'person',
  aborted: 'person',
  error: 'person',
  unknown: null,
};

/**
 * Guesses from the last message and the file's time; agents leave no other sign.
 * running: the agent has the next word and the file was written within 2 minutes.
 * paused: the agent has the next word, the file was written within the hour.
 * waiting: the person has the next word, the file was written within 15 minutes.
 * null: none of these; the session rests, or its last message is not known.
 *
 * @param modifiedMs time of the file, epoch ms; times to come count as now.
 */
export function liveness(status: SessionStatus, modifiedMs: number, now: number): Live | null {
  const age = now - modifiedMs;
  switch (NEXT[status]) {
    case 'agent':
      return age <= AT_IT_MS ? 'running' : age <= PAUSED_MS ? 'paused' : null;
    case 'person':
      return age <= WAITING_MS ? 'waiting' : null;
    default:
      return null;
  }
}
