import assert from 'node:assert/strict';

import { custom } from '../entries/custom.ts';
import { message } from '../entries/message.ts';
import { CURRENT_SESSION_VERSION, type FileEntry, type SessionEntry, type SessionHeader } from '../entries/entry.ts';
import { SessionStoreError, type ErrorCode } from '../errors.ts';
import { parseJsonlLenient } from '../logs/parse.ts';
import type { LogRecord, SessionRef, SessionStore } from '../store/session-store.ts';

/** A store on ground of its own, and how to look behind it. */
export interface StoreFixture {
  store: SessionStore;
  /** Another store over the same ground, as a second program has one. */
  another(): SessionStore;
  /** The decoded log of a session as it is stored: lines of JSON. Undefined where there is none. Asks the ground, not the store. */
  bytes(id: string): Uint8Array | undefined;
  /** Bytes that the session takes where it is stored, where these are not those of its log. */
  sizeOf?(id: string): number;
  /** Puts a log there as another program would, and answers how to open it. Null where nobody else can. */
  put: ((id: string, log: Uint8Array) => SessionRef) | null;
  dispose(): void | Promise<void>;
}

/** One demand on a store. */
export type StoreTest = (fixture: StoreFixture) => void | Promise<void>;

/** A valid header. */
export function headerFor(id: string, cwd = '/home/ann/app'): SessionHeader {
  return { type: 'session', version: CURRENT_SESSION_VERSION, id, timestamp: '2026-01-01T00:00:00.000Z', cwd };
}

/** A small entry. */
export function note(id: string, parentId: string | null = null, data: unknown = id): LogRecord & { value: SessionEntry } {
  const timestamp = '2026-01-01T00:00:01.000Z';
  return { value: { type: custom.type, customType: 'note', id, parentId, timestamp, data } as SessionEntry };
}

/** An entry with an image that is large enough to be kept apart. */
export function picture(id: string, parentId: string | null = null): LogRecord & { value: SessionEntry } {
  const image = { type: 'image', mimeType: 'image/png', data: Buffer.from(id.repeat(1000)).toString('base64') };
  const body = { role: 'user', content: [{ type: 'text', text: 'look' }, image] };
  return {
    value: { type: message.type, id, parentId, timestamp: '2026-01-01T00:00:02.000Z', message: body } as unknown as SessionEntry,
  };
}

export const valuesOf = (records: readonly LogRecord[]): FileEntry[] => records.map(({ value }) => value);

export const idsOf = (records: readonly LogRecord[]): string[] => records.map(({ value }) => value.id);

/** Ids of the records of a log, each line of which must be one. */
export function storedIds(log: Uint8Array | undefined): string[] {
  if (log === undefined) return [];
  assert.equal(log.at(-1), 10, 'the last line has its end');
  const { records, problems } = parseJsonlLenient(log);
  assert.deepEqual(problems, [], 'every line is a record');
  return records.map(({ value }) => (value as { id: string }).id);
}

export function linesOf(log: Uint8Array | undefined): string[] {
  return new TextDecoder()
    .decode(log ?? new Uint8Array(0))
    .split('\n')
    .slice(0, -1);
}

/** Does the work fail with that code? */
export function failsWith(code: ErrorCode, work: () => unknown): void {
  assert.throws(work, (error) => error instanceof SessionStoreError && error.code === code, code);
}

export async function rejectsWith(code: ErrorCode, work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => error instanceof SessionStoreError && error.code === code, code);
}

/** All pieces together. */
export async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
