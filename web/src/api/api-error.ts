// A failed request: the service's own code (docs/errors.md), or `network` when no answer came. Created only by
// api/request.ts and put into words by api/error-words.ts.

export class ApiError extends Error {
  /** A code of the service's catalogue, `network` without an answer, `bad_answer` for an answer of another server. */
  readonly code: string;
  /** The service's sentence in English; may be empty. */
  readonly detail: string;
  /** Seconds to wait before the next try; null when the service gave none. */
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

/** Reports whether the session is over for this browser: it has ended, or the service does not have it. */
export function isSessionOver(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'session_expired' || error.code === 'unknown_token');
}

/**
 * Returns the error if it is an ApiError. @throws any other error: a fault of the app must not pass for one of the
 * service
 */
export function requireApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}
