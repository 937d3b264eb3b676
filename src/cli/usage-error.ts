/** Wrong usage of the command line, in one line. Thrown while arguments are parsed, told by main.ts. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
