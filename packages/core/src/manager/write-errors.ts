import { SessionStoreError } from '../errors.ts';

/** Neither the store nor the disk said it. */
export function isUnwritable(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}

/** Somebody else was at the session meanwhile. */
export function isConflict(error: unknown): boolean {
  return error instanceof SessionStoreError && error.code === 'session_conflict';
}
