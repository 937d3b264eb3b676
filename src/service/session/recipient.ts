// The recipient of a message, as the protocols that receive mail hand it on.

import type { Session } from '../../domain/session.ts';

/**
 * The recipient: a session; the operator, who reads mail to postmaster and abuse; or an unknown one, at a domain that
 * accepts such mail only to discard it.
 */
export type Recipient = Session | 'operator' | UnknownRecipient;

export interface UnknownRecipient {
  /** `@` and the domain's name. */
  readonly unknownAt: string;
}

export function isSession(recipient: Recipient): recipient is Session {
  return typeof recipient === 'object' && 'key' in recipient;
}
