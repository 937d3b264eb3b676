// A wrong invocation of the program, in one line.

export class UsageError extends Error {
  override readonly name = 'UsageError';
}
