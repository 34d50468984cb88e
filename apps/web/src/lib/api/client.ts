/**
 * The one place that talks to the server: a typed function per route. Everything goes through `fetch` (images and
 * blobs too), so that a header needed on every request has one place to be added.
 */
import type {
  Compactions,
  Context,
  ContextQuery,
  EntryAnswer,
  Health,
  LineAnswer,
  Outline,
  OutlineQuery,
  Projects,
  Roots,
  SessionDetail,
  SessionDetailQuery,
  SessionsPage,
  SessionsQuery,
  Transcript,
  TranscriptQuery,
} from '@stemma/api/schemas';

import { ApiError, readError } from './errors.ts';

/** A query whose members may also be there and undefined; those are left out of the address. */
export type Query<T> = { [K in keyof T]?: T[K] | undefined };

type Values = Readonly<Record<string, string | number | undefined>>;

/** A path under `/api` with the query's defined values in the given order. */
export function address(path: string, query: Values = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return `/api${path}${text === '' ? '' : `?${text}`}`;
}

/**
 * Fetches and checks the status. Throws `ApiError`; an aborted request throws the signal's `AbortError` unchanged,
 * so that callers can tell "no longer wanted" from "failed".
 */
async function request(url: string, accept: string, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { headers: { accept }, signal: signal ?? null });
  } catch (error) {
    // fetch rejects with a TypeError when the server cannot be reached, and with the abort reason when aborted.
    if (error instanceof TypeError && signal?.aborted !== true)
      throw new ApiError('unreachable', 'The server does not answer.', 0);
    throw error;
  }
  if (!response.ok) throw await readError(response);
  return response;
}

async function json<T>(url: string, signal?: AbortSignal): Promise<T> {
  const response = await request(url, 'application/json', signal);
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (error instanceof SyntaxError) throw new ApiError('bad_answer', 'The answer is not JSON.', response.status);
    throw error;
  }
}

async function bytes(url: string, signal?: AbortSignal): Promise<Blob> {
  return (await request(url, '*/*', signal)).blob();
}

const session = (key: string): string => `/sessions/${encodeURIComponent(key)}`;
const entryPath = (key: string, entryId: string): string => `${session(key)}/entries/${encodeURIComponent(entryId)}`;

/** What is served, how many sessions and problems, progress of the counting. */
export const health = (signal?: AbortSignal): Promise<Health> => json(address('/health'), signal);

/** The session folders that are served, their problems, and where the server looked. */
export const roots = (signal?: AbortSignal): Promise<Roots> => json(address('/roots'), signal);

/** Working directories with sessions, over all roots. */
export const projects = (signal?: AbortSignal): Promise<Projects> => json(address('/projects'), signal);

/** One page of summary rows. */
export const sessions = (query: Query<SessionsQuery> = {}, signal?: AbortSignal): Promise<SessionsPage> =>
  json(address('/sessions', query), signal);

/** Header, summary, statistics, leaf, labels, compactions and problems of one session; with `tz` its days, too. */
export const sessionDetail = (key: string, signal?: AbortSignal, query: Query<SessionDetailQuery> = {}): Promise<SessionDetail> =>
  json(address(session(key), query), signal);

/** Rows of the outline in file order, from row `from`. */
export const outline = (key: string, query: Query<OutlineQuery> = {}, signal?: AbortSignal): Promise<Outline> =>
  json(address(`${session(key)}/outline`, query), signal);

/** One entry as it is stored; `entryId` may also be `@row`. */
export const entry = (key: string, entryId: string, signal?: AbortSignal): Promise<EntryAnswer> =>
  json(address(entryPath(key, entryId)), signal);

/** The exact stored bytes of one entry. */
export const entryRaw = (key: string, entryId: string, signal?: AbortSignal): Promise<Blob> =>
  bytes(address(entryPath(key, entryId), { raw: '1' }), signal);

/** The stored line that holds a byte of the file: at most 64 KB of it around that byte. */
export const line = (key: string, byteOffset: number, signal?: AbortSignal): Promise<LineAnswer> =>
  json(address(`${session(key)}/lines/${byteOffset}`), signal);

/** A page of transcript items along the path to `leaf`; the last page without `around`, `before` and `after`. */
export const transcript = (key: string, query: Query<TranscriptQuery> = {}, signal?: AbortSignal): Promise<Transcript> =>
  json(address(`${session(key)}/transcript`, query), signal);

/** What a model call at `leaf` carries, the settings in force there, and the lens. */
export const context = (key: string, query: Query<ContextQuery> = {}, signal?: AbortSignal): Promise<Context> =>
  json(address(`${session(key)}/context`, query), signal);

/** One page of reports of compactions, `onPath` seen from `leaf`. */
export const compactions = (
  key: string,
  query: Query<{ leaf: string; cursor: string }> = {},
  signal?: AbortSignal,
): Promise<Compactions> => json(address(`${session(key)}/compactions`, query), signal);

/** The bytes of image `index` (from 0) of an entry. */
export const image = (key: string, entryId: string, index: number, signal?: AbortSignal): Promise<Blob> =>
  bytes(address(`${entryPath(key, entryId)}/images/${index}`), signal);

/** The bytes of a blob by its SHA-256 (64 hex digits). */
export const blob = (sha: string, signal?: AbortSignal): Promise<Blob> =>
  bytes(address(`/blobs/${encodeURIComponent(sha)}`), signal);

/** All of it as one object: what state classes take, so that tests can hand in their own. */
export const api = {
  health,
  roots,
  projects,
  sessions,
  session: sessionDetail,
  outline,
  entry,
  entryRaw,
  line,
  transcript,
  context,
  compactions,
  image,
  blob,
};
export type Api = typeof api;
