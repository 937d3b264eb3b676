// The exit statuses of sysexits.h by which programs that call sendmail learn what became of their mail.

export const sysexits = {
  ok: 0,
  usage: 64,
  data: 65,
  noUser: 67,
  unavailable: 69,
  temporary: 75,
  noPermission: 77,
} as const;

export type Sysexit = (typeof sysexits)[keyof typeof sysexits];

/** The message was not sent; its text names no address. */
export class SendmailError extends Error {
  readonly status: Sysexit;

  constructor(status: Sysexit, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
