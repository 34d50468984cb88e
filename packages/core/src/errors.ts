/** What a caller can have done wrong or run into; what is wrong with *data* is a `Problem`. */
export const ERROR_CODES = [
  'session_not_found',
  'session_exists',
  'session_owned',
  'session_conflict',
  'session_invalid',
  'session_newer',
  'session_ambiguous',
  'entry_not_found',
  'root_not_found',
  'blob_missing',
  'blob_corrupt',
  'invalid_query',
  'invalid_root',
  'invalid_argument',
  'unsupported',
  'storage_io',
  'storage_closed',
  'cancelled',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export class SessionStoreError extends Error {
  readonly code: ErrorCode;
  readonly data: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, data: Record<string, unknown> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SessionStoreError';
    this.code = code;
    this.data = data;
  }
}
