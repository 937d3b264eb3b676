// Why an operator's command was refused, in one line that may be shown. Thrown by the services behind the commands,
// printed by cli/.

export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
