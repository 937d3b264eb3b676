// The reason why an outgoing request was not made or got no answer. Thrown by safe-fetch.ts. The texts are safe to log:
// they contain neither path nor query of the URL, which may be secret.

export type SafeFetchFailure =
  /** Not a URL, or one with credentials, too long, or with a scheme or port that is not allowed. */
  | 'bad_url'
  /** The name has no address, or the name servers did not answer. */
  | 'not_resolved'
  /** At least one address of the name is not public and not allowed by the operator. */
  | 'address_refused'
  /** Connecting, TLS (including its certificate) or the exchange failed. */
  | 'connection_failed'
  /** Timed out, or aborted by the caller. */
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
