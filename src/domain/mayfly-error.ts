// The one error type that means something to a caller. Everything else that is thrown is a fault of ours:
// HTTP answers it with internal_error, SMTP with 451 4.3.0, and only the log learns the details.

import { type ErrorCode, errorCatalogue } from './error-catalogue.ts';

interface MayflyErrorOptions {
  /** Name of the request parameter that is at fault. */
  readonly parameter?: string;
  /** Whole seconds after which a retry makes sense. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

export class MayflyError extends Error {
  readonly code: ErrorCode;
  /** One sentence a person can act on. Holds no secret and nothing of the inside. */
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
