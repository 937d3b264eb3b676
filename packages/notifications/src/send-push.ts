// Sends one push message to one browser (RFC 8030, 8291, 8292): it reports new mail, the browser's address that it is
// for, and the message's id. Contains no part of the mail. Independent of queues.

import { SafeFetchError } from '../../networks/src/safe-fetch-error.ts';
import type { PushKey } from './push-key.ts';
import { encryptPush } from './push-message.ts';
import type { PushSubscription } from './push-subscription.ts';
import type { FindPushFetch } from './push-hosts.ts';

export interface PushSigner {
  readonly key: PushKey;
  /** `mailto:` or `https:`, for the push service's operators. */
  readonly contact: string;
  readonly findFetch: FindPushFetch;
  /** The store's clock, ms since 1970. */
  readonly now: () => number;
}

export interface PushNews {
  readonly messageId: number;
  /** How long the message is worth delivering. */
  readonly ttlSeconds: number;
}

/** `gone`: the subscription no longer exists. `reason` contains no URL. */
export type PushOutcome =
  | { readonly outcome: 'sent' | 'gone' }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'failed'; readonly reason: string; readonly retryAfterSeconds: number | undefined };

export async function sendPush(
  { key, contact, findFetch, now }: PushSigner,
  subscription: PushSubscription,
  { messageId, ttlSeconds }: PushNews,
): Promise<PushOutcome> {
  const { endpoint, id } = subscription;
  const fetch = findFetch(endpoint);
  // The operator has removed the host meanwhile.
  if (!fetch) return { outcome: 'gone' };
  try {
    const { status, headers } = await fetch({
      url: endpoint,
      method: 'POST',
      read: 'status',
      headers: {
        authorization: key.authorize(new URL(endpoint).origin, contact, now()),
        'content-type': 'application/octet-stream',
        'content-encoding': 'aes128gcm',
        ttl: String(ttlSeconds),
        urgency: 'high',
        // A browser that is offline gets only the newest of several messages.
        topic: id,
      },
      body: encryptPush(subscription, JSON.stringify({ subscription: id, message: messageId })),
    });
    return judge(status, headers['retry-after']);
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error;
    const reason = error.failure;
    // Retrying cannot change the address.
    if (reason === 'address_refused' || reason === 'bad_url') return { outcome: 'refused', reason };
    return { outcome: 'failed', reason, retryAfterSeconds: undefined };
  }
}

function judge(status: number, retryAfter: string | undefined): PushOutcome {
  if (status >= 200 && status < 300) return { outcome: 'sent' };
  if (status === 404 || status === 410) return { outcome: 'gone' };
  const reason = `answered_${status}`;
  if (status !== 429 && status < 500) return { outcome: 'refused', reason };
  const seconds = Number(retryAfter ?? NaN);
  return { outcome: 'failed', reason, retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined };
}
