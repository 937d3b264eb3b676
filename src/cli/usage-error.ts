// A wrong invocation of the program, in one line. Thrown by the parsers of arguments, printed by main.ts.

export class UsageError extends Error {
  override readonly name = 'UsageError';
}
