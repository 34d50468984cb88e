import type { ErrorBody } from '@stemma/api/schemas';

/**
 * A request that failed. `code` is the server's, or one of ours: `unreachable` (no answer, status 0), `bad_answer`
 * (an answer that is not what it should be). `message` is English and for logs; views translate the code.
 */
export class ApiError extends Error {
  readonly code: string;
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, status: number, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

function isErrorBody(value: unknown): value is ErrorBody {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false;
  const { error } = value;
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}

/** The error that a response with a bad status stands for; never throws on its body. */
export async function readError(response: Response): Promise<ApiError> {
  const text = await response.text();
  const fallback = new ApiError('bad_answer', `${response.status} ${response.statusText}`.trim(), response.status);
  try {
    const body: unknown = JSON.parse(text);
    if (!isErrorBody(body)) return fallback;
    return new ApiError(body.error.code, body.error.message, response.status, body.error.details ?? {});
  } catch (error) {
    if (error instanceof SyntaxError) return fallback;
    throw error;
  }
}

/** Whether a request ended because its own signal was aborted: nothing to report. */
export function isAbort(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError';
}
