// The service's record of an inbox: what it answered senders, and what came for others.

import type { Delivery, OtherMail, RefusedRecipient } from './models.ts';
import { toDate, toModel } from './to-model.ts';
import type { Transport } from './transport.ts';

export interface SessionLog {
  /** All newest first. */
  readonly deliveries: readonly Delivery[];
  readonly refusedRecipients: readonly RefusedRecipient[];
  readonly otherMail: readonly OtherMail[];
  readonly createdAt: Date;
  /** The current time by the service's clock. */
  readonly now: Date;
}

export async function readSessionLog(transport: Transport, token: string): Promise<SessionLog> {
  const answer = await transport.json('/session', { token });
  const {
    deliveries,
    nearMisses = [],
    otherMail = [],
  } = toModel(answer) as {
    deliveries: readonly Delivery[];
    /** Absent from older services. */
    nearMisses?: readonly RefusedRecipient[];
    /** Only from `mayfly dev`. */
    otherMail?: readonly OtherMail[];
  };
  const left = Number(answer['expires_in']) * 1000;
  const now = new Date(toDate(String(answer['expires_at'])).getTime() - left);
  const createdAt = toDate(String(answer['created_at']));
  return { deliveries, refusedRecipients: nearMisses, otherMail, createdAt, now };
}
