// The reason why the machine cannot be set up, in one line for the operator.

export class SetupError extends Error {
  override readonly name: string = 'SetupError';
}

/** The service's refusal of a call. `cause` is its own error. */
export class RefusedCall extends SetupError {
  override readonly name = 'RefusedCall';
}
