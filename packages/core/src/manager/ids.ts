import { randomBytes, randomFillSync, randomUUID } from 'node:crypto';

const ATTEMPTS = 100;

/** An entry id that is not taken: what `newId` answers, or after many attempts one too long to be taken. */
export function freshId(taken: (id: string) => boolean, newId: () => string): string {
  for (let i = 0; i < ATTEMPTS; i++) {
    const id = newId();
    if (!taken(id)) return id;
  }
  return randomUUID();
}

/** Random numbers are fetched many at a time: ids are made with every append. */
const pool = new Uint32Array(256);
let used = pool.length;

/** 8 hex digits. */
export function randomEntryId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool[used++]!.toString(16).padStart(8, '0');
}

/** A UUID of version 7: ids of later sessions sort behind those of earlier ones. @param now epoch ms */
export function newSessionId(now: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Math.max(0, Math.min(now, 2 ** 48 - 1)), 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Letters, digits and inner `-_.`: what can be part of a file name everywhere. */
const SESSION_ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;

export function isSessionId(id: string): boolean {
  return SESSION_ID.test(id);
}
