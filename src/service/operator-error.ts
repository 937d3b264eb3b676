// What an operator's command was refused for, in one line that may be shown. Thrown by the services that carry out
// commands, told by cli/.

export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
