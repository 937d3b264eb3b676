// The errors of the commands, in words for the terminal.

/** The command failed. */
export class InboxError extends Error {
  override readonly name = 'InboxError';
}

/** The command was called in a wrong way. */
export class InboxUsageError extends Error {
  override readonly name = 'InboxUsageError';
}
