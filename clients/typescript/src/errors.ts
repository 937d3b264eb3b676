// The errors of this package.

import type { Delivery, MessageSummary, OtherMail, RefusedRecipient } from './models.ts';

/** The service answered with an error. */
export class MayflyError extends Error {
  override readonly name = 'MayflyError';
  /** HTTP status of the answer. */
  readonly status: number;
  /** Stable, such as `session_expired`; the service's docs/errors.md lists the codes. */
  readonly code: string;
  /** The parameter at fault, if any. */
  readonly parameter: string | undefined;
  /** Identifies the request in the operator's log. */
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

/** The service could not be reached or did not answer within the time allowed. */
export class MayflyUnreachable extends Error {
  override readonly name = 'MayflyUnreachable';
}

/** A message that arrived during a wait, and the reason why it did not match. */
export interface NearMiss {
  readonly message: MessageSummary;
  /** For example `no code in it`. */
  readonly reason: string;
}

/**
 * No matching message arrived in time. The error's text describes what arrived instead, what came for others,
 * and what the service refused.
 */
export class MailTimeout extends Error {
  override readonly name = 'MailTimeout';
  readonly email: string;
  readonly nearMisses: readonly NearMiss[];
  /** Attempts to deliver to the address since the wait began, oldest first. */
  readonly deliveries: readonly Delivery[];
  /** Misspelt addresses for which mail was refused recently, newest first. */
  readonly refusedRecipients: readonly RefusedRecipient[];
  /**
   * Mail that came, since the inbox was made, to other inboxes of the same client object, or, with `mayfly dev`, for
   * recipients that no inbox has; newest first.
   */
  readonly otherMail: readonly OtherMail[];

  constructor(
    message: string,
    given: {
      email: string;
      nearMisses: readonly NearMiss[];
      deliveries: readonly Delivery[];
      refusedRecipients: readonly RefusedRecipient[];
      otherMail: readonly OtherMail[];
    },
  ) {
    super(message);
    this.email = given.email;
    this.nearMisses = given.nearMisses;
    this.deliveries = given.deliveries;
    this.refusedRecipients = given.refusedRecipients;
    this.otherMail = given.otherMail;
  }
}
