// A request body as the parameters that it carries, and the error of one that does not parse.

/** Name and value of each parameter in a body, in order, including repeated ones. */
export type CarriedPairs = readonly (readonly [name: string, value: unknown])[];

/** The message is one sentence for the caller. */
export class MalformedBodyError extends Error {
  override readonly name = 'MalformedBodyError';
  readonly code = 'malformed_body';
}
