// The refusal of an operator's command; `message` is one line that may be shown. Thrown by the services behind the
// commands, printed by cli/.

export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
