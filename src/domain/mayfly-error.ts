// The only error type with a meaning for callers. Any other error is a bug in the program: HTTP answers it with
// internal_error and SMTP with 451 4.3.0, and the details go only to the log.

import { type ErrorCode, errorCatalogue } from './error-catalogue.ts';

interface MayflyErrorOptions {
  /** The request parameter at fault. */
  readonly parameter?: string;
  /** Whole seconds after which a retry makes sense. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

export class MayflyError extends Error {
  readonly code: ErrorCode;
  /** One sentence that a user can act on, without secrets or internals. */
  readonly publicMessage: string;
  readonly parameter: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, publicMessage: string, options: MayflyErrorOptions = {}) {
    super(`${code}: ${publicMessage}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'MayflyError';
    this.code = code;
    this.publicMessage = publicMessage;
    this.parameter = options.parameter;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get httpStatus(): number {
    return errorCatalogue[this.code].http;
  }
}

/** For work that gets no turn. */
export function unavailable(message: string, retryAfterSeconds?: number): MayflyError {
  return new MayflyError(
    'unavailable',
    message,
    retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  );
}
