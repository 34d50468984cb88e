import { SessionStoreError, type SessionReader } from '@stemma/core';
import type { FastifyReply } from 'fastify';
import { setTimeout as delay } from 'node:timers/promises';

/** How long a request for rows waits for more of them while a session is being decoded. */
const ROWS_WAIT_MS = 1_000;
/** With some new rows in hand it waits only so long for company. */
const SOME_ROWS_WAIT_MS = 250;
const STEP_MS = 20;

/** Aborted when the client goes away before its answer is written. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/**
 * Waits until the session is decoded to its end.
 *
 * @throws SessionStoreError `cancelled` when the client has gone, or what the reader threw.
 */
export async function untilReady(reader: SessionReader, gone: AbortSignal): Promise<void> {
  if (reader.complete) return;
  const cancelled = new Promise<never>((_resolve, reject) => {
    const stop = (): void => reject(new SessionStoreError('cancelled', 'The client has gone.'));
    if (gone.aborted) stop();
    else gone.addEventListener('abort', stop, { once: true });
  });
  await Promise.race([reader.ready, cancelled]);
}

/**
 * Waits until there are `limit` rows from `from` on, until the end of decoding, or about a second; never fails because
 * rows are missing.
 */
export async function untilRows(reader: SessionReader, from: number, limit: number, gone: AbortSignal): Promise<void> {
  const start = performance.now();
  while (!reader.complete && !gone.aborted) {
    const rows = reader.outline.rowCount - from;
    const waited = performance.now() - start;
    if (rows >= limit || waited >= ROWS_WAIT_MS || (rows > 0 && waited >= SOME_ROWS_WAIT_MS)) return;
    await Promise.race([reader.ready, delay(STEP_MS, undefined, { ref: false })]);
  }
}
