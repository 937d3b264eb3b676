// The error of a failed command of `mayfly inbox`, in words for the terminal. Printed by main.ts, which exits with 1.

export class InboxError extends Error {
  override readonly name = 'InboxError';
}
