// A push subscription: the address at which a reader's browser receives notifications while the page is closed (RFC
// 8030). Kept with its session, sealed, and deleted with it.

export interface PushSubscription {
  /** Opaque; tells the reader's browser which of its addresses a push message is about. */
  readonly id: string;
  /** At a push service. A capability: stands in no log. */
  readonly endpoint: string;
  /** The browser's public key and its secret, in base64url (RFC 8291 §2, §3.2). */
  readonly p256dh: string;
  readonly auth: string;
}

/** At once, for one session; a further one takes the place of the oldest. */
export const pushSubscriptionsMax = 5;
export const pushEndpointMaxLength = 1024;
