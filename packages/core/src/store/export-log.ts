import type { SessionHandle } from './session-store.ts';

/**
 * The log of a session: header first, then every stored line as it is, each ended by a line feed. From every store of the
 * same shapes the same bytes. Errors: those of the handle.
 */
export function exportLog(handle: SessionHandle): AsyncIterable<Uint8Array> {
  return handle.log();
}
