import { SessionStoreError, type ErrorCode } from '@stemma/core';

/** Error codes of the HTTP layer itself, beside those of the store. */
export const API_ERROR_CODES = [
  'not_found',
  'method_not_allowed',
  'forbidden_host',
  'forbidden_site',
  'uri_too_long',
  'bad_request',
  'internal',
] as const;
export type ApiErrorCode = (typeof API_ERROR_CODES)[number];

/** The only table from code to HTTP status. A new code without a status does not compile. */
export const STATUS = {
  session_not_found: 404,
  session_exists: 409,
  session_owned: 409,
  session_conflict: 409,
  session_invalid: 422,
  session_newer: 422,
  session_ambiguous: 409,
  entry_not_found: 404,
  root_not_found: 404,
  blob_missing: 404,
  blob_corrupt: 500,
  invalid_query: 400,
  invalid_root: 400,
  invalid_argument: 400,
  unsupported: 501,
  storage_io: 500,
  storage_closed: 503,
  cancelled: 503,
  not_found: 404,
  method_not_allowed: 405,
  forbidden_host: 403,
  forbidden_site: 403,
  uri_too_long: 414,
  bad_request: 400,
  internal: 500,
} as const satisfies Record<ErrorCode | ApiErrorCode, number>;

/** An error of the HTTP layer. `details` are sent to the client as they are. */
export class ApiError extends Error {
  readonly code: ErrorCode | ApiErrorCode;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode | ApiErrorCode, message: string, details?: Record<string, unknown>) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.details = details;
  }
}

export interface ErrorAnswer {
  status: number;
  body: { error: { code: string; message: string; details?: Record<string, unknown> } };
}

/** What a client may learn of a store error; paths and messages of the system stay here. */
const SAFE_DETAILS = ['key', 'entryId', 'sha256', 'movedTo', 'rootId', 'errno', 'limit'];

const STORE_MESSAGES: Partial<Record<ErrorCode, string>> = {
  storage_io: 'The session store could not be read.',
  storage_closed: 'The session is no longer open.',
  cancelled: 'The request was cancelled.',
  invalid_root: 'This is not a folder of sessions.',
};

/** The answer for anything that was thrown: codes that we know, and `internal` without a word for the rest. */
export function answerFor(error: unknown): ErrorAnswer {
  if (error instanceof ApiError) return answer(error.code, error.message, error.details);
  if (error instanceof SessionStoreError) {
    const details = Object.fromEntries(SAFE_DETAILS.filter((name) => name in error.data).map((name) => [name, error.data[name]]));
    return answer(error.code, STORE_MESSAGES[error.code] ?? error.message, Object.keys(details).length > 0 ? details : undefined);
  }
  return fromFramework(error as FrameworkError);
}

interface FrameworkError {
  code?: unknown;
  statusCode?: unknown;
  validation?: { instancePath?: string; message?: string }[];
  validationContext?: string;
}

function fromFramework(error: FrameworkError | null | undefined): ErrorAnswer {
  if (error?.validation) {
    const errors = error.validation.slice(0, 10).map((one) => ({ path: one.instancePath ?? '', message: one.message ?? '' }));
    const first = errors[0];
    const place = first === undefined || first.path === '' ? '' : ` (${first.path.replace(/^\//, '')})`;
    const message = `The request is not valid${place}: ${first?.message ?? 'see the details'}.`;
    return answer('invalid_query', message, { in: error.validationContext ?? 'request', errors });
  }
  if (error?.code === 'FST_ERR_MAX_PARAM_LENGTH') return answer('uri_too_long', 'A part of the address is too long.');
  const status = typeof error?.statusCode === 'number' ? error.statusCode : 500;
  if (status >= 400 && status < 500) return answer('bad_request', 'The request could not be understood.');
  return answer('internal', 'Something went wrong in the server.');
}

function answer(code: ErrorCode | ApiErrorCode, message: string, details?: Record<string, unknown>): ErrorAnswer {
  return { status: STATUS[code], body: { error: { code, message, ...(details === undefined ? {} : { details }) } } };
}
