// Why a call that sends mail is refused, in the terms of the service whose dialect it is in. Plain data, since it passes
// between threads.

export interface Refusal {
  /** The answer's. */
  readonly status: number;
  /** The service's own code or name for it; '' where it has none. */
  readonly code: string | number;
  readonly message: string;
  /** The path of the field at fault, in the service's own notation. */
  readonly field?: string;
  /** Whole seconds after which a retry makes sense. */
  readonly retryAfterSeconds?: number;
}

/** The words of a service for errors, by status; 400 and 500 stand for the others of their kind. */
export type ErrorWords<W> = Readonly<Record<number, W>> & { readonly 400: W; readonly 500: W };

export function wordsOf<W>(words: ErrorWords<W>, status: number): W {
  return words[status] ?? words[status < 500 ? 400 : 500];
}

/** The code of the service for a reason that every dialect knows. */
export type FailureCode = 'malformed_body' | 'unsupported_media_type' | 'body_too_large';

/** A call that is refused for such a reason. */
export class FailedCallError extends Error {
  override readonly name = 'FailedCallError';
  readonly code: FailureCode;

  constructor(code: FailureCode, reason: string) {
    super(reason);
    this.code = code;
  }
}

export class RefusedError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = 'RefusedError';
    this.refusal = refusal;
  }
}
