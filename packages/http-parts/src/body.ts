// A request body as the parameters that it carries, and the errors of requests that are not served.

/** Name and value of each parameter in a body, in order, including repeated ones. */
export type CarriedPairs = readonly (readonly [name: string, value: unknown])[];

/** The message is one sentence for the caller. */
export class RefusedRequestError extends Error {
  override readonly name = 'RefusedRequestError';
  readonly code: 'malformed_request' | 'wrong_host';

  constructor(code: RefusedRequestError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Likewise. */
export class MalformedBodyError extends Error {
  override readonly name = 'MalformedBodyError';
  readonly code = 'malformed_body';
}
