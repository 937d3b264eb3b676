// Why a request of ours was not made or had no answer. Thrown by safe-fetch.ts; the texts are fit for a log and hold
// neither path nor query of the URL, which may be secrets.

export type SafeFetchFailure =
  /** Not a URL, or one with user and password, too long, or of a scheme or port that is not allowed. */
  | 'bad_url'
  /** The name has no address, or the name servers did not answer. */
  | 'not_resolved'
  /** At least one address of the name is not one of the Internet and not allowed by the operator. */
  | 'address_refused'
  /** Connecting, TLS (its certificate included) or the exchange failed. */
  | 'connection_failed'
  /** Not done within its time, or aborted by the caller. */
  | 'timed_out'
  | 'answer_too_large';

export class SafeFetchError extends Error {
  override readonly name = 'SafeFetchError';
  readonly failure: SafeFetchFailure;

  constructor(failure: SafeFetchFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.failure = failure;
  }
}
