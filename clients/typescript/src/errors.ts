// What calls fail with.

import type { Delivery, MessageSummary, RefusedRecipient } from './models.ts';

/** The service answered with an error. */
export class MayflyError extends Error {
  override readonly name = 'MayflyError';
  /** Of the HTTP answer. */
  readonly status: number;
  /** Stable, such as `session_expired`; docs/errors.md of the service has the table. */
  readonly code: string;
  /** The parameter at fault, where there is one. */
  readonly parameter: string | undefined;
  /** Under which the operator finds the request in the log. */
  readonly requestId: string | undefined;

  constructor(
    message: string,
    given: { status: number; code: string; parameter?: string | undefined; requestId?: string | undefined },
  ) {
    super(message);
    this.status = given.status;
    this.code = given.code;
    this.parameter = given.parameter;
    this.requestId = given.requestId;
  }
}

/** The service could not be reached, or did not answer, for as long as the call may take. */
export class MayflyUnreachable extends Error {
  override readonly name = 'MayflyUnreachable';
}

/** A message that came, and why it is not the one that was waited for. */
export interface NearMiss {
  readonly message: MessageSummary;
  /** Such as `no code in it`. */
  readonly reason: string;
}

/** Nothing that matches came in time. The message says what came instead, and what the service refused. */
export class MailTimeout extends Error {
  override readonly name = 'MailTimeout';
  readonly email: string;
  readonly nearMisses: readonly NearMiss[];
  /** Attempts to deliver to the address since the wait began, oldest first. */
  readonly deliveries: readonly Delivery[];
  /** Misspelt addresses that mail was refused for lately, newest first. */
  readonly refusedRecipients: readonly RefusedRecipient[];

  constructor(
    message: string,
    given: {
      email: string;
      nearMisses: readonly NearMiss[];
      deliveries: readonly Delivery[];
      refusedRecipients: readonly RefusedRecipient[];
    },
  ) {
    super(message);
    this.email = given.email;
    this.nearMisses = given.nearMisses;
    this.deliveries = given.deliveries;
    this.refusedRecipients = given.refusedRecipients;
  }
}
