// A push subscription: the address at which a reader's browser receives notifications while the page is closed (RFC
// 8030). Kept with its session, sealed, and deleted with it.

export interface PushSubscription {
  /** Opaque; identifies to the reader's browser the address that a push message is about. */
  readonly id: string;
  /** A URL at a push service. It is a capability and must not be logged. */
  readonly endpoint: string;
  /** The browser's public key and its secret, in base64url (RFC 8291 §2, §3.2). */
  readonly p256dh: string;
  readonly auth: string;
}

/** The most of one session at a time; another one replaces the oldest. */
export const pushSubscriptionsMax = 5;
export const pushEndpointMaxLength = 1024;
