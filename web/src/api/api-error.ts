// A request that failed, as the app knows it: the service's own code (docs/errors.md), or `network` when no answer came.
// Made by api/request.ts alone; put into words by api/error-words.ts.

export class ApiError extends Error {
  /** A code of the service's catalogue, `network` for no answer, `bad_answer` for one that is not the service's. */
  readonly code: string;
  /** The service's sentence in English; empty for none. */
  readonly detail: string;
  /** Seconds to wait before the next try; null when the service did not say. */
  readonly retryAfterSeconds: number | null;
  readonly requestId: string;

  constructor(
    code: string,
    about: { detail?: string; retryAfterSeconds?: number | null; requestId?: string } = {},
  ) {
    super(about.detail ?? code);
    this.name = 'ApiError';
    this.code = code;
    this.detail = about.detail ?? '';
    this.retryAfterSeconds = about.retryAfterSeconds ?? null;
    this.requestId = about.requestId ?? '';
  }
}

/** Whether the session is over for this browser: it ended, or the service no longer knows it. */
export function isSessionOver(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'session_expired' || error.code === 'unknown_token');
}

/** @throws whatever is no ApiError: a fault of the app, which must not pass for one of the service. */
export function requireApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}
