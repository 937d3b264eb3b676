// One push message to one browser (RFC 8030, 8291, 8292): that there is new mail, for which of the browser's addresses,
// and which message. Nothing of the mail. Knows nothing of queues.

import type { PushSubscription } from '../../domain/push-subscription.ts';
import { SafeFetchError } from '../../net/safe-fetch-error.ts';
import type { PushKey } from '../../secrets/push-key.ts';
import { encryptPush } from '../../secrets/push-message.ts';
import type { FindPushFetch } from './push-hosts.ts';

export interface PushSigner {
  readonly key: PushKey;
  /** `mailto:` or `https:`, for the push service's operators. */
  readonly contact: string;
  readonly findFetch: FindPushFetch;
}

export interface PushNews {
  readonly messageId: number;
  /** For how long it is worth telling. */
  readonly ttlSeconds: number;
}

/** `gone`: the browser no longer wants any. `reason` holds no URL. */
export type PushOutcome =
  | { readonly outcome: 'sent' | 'gone' }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'failed'; readonly reason: string; readonly retryAfterSeconds: number | undefined };

export async function sendPush(
  { key, contact, findFetch }: PushSigner,
  subscription: PushSubscription,
  { messageId, ttlSeconds }: PushNews,
): Promise<PushOutcome> {
  const { endpoint, id } = subscription;
  const fetch = findFetch(endpoint);
  // The operator has taken the host out since.
  if (!fetch) return { outcome: 'gone' };
  try {
    const { status, headers } = await fetch({
      url: endpoint,
      method: 'POST',
      read: 'status',
      headers: {
        authorization: key.authorize(new URL(endpoint).origin, contact, Date.now()),
        'content-type': 'application/octet-stream',
        'content-encoding': 'aes128gcm',
        ttl: String(ttlSeconds),
        urgency: 'high',
        // Of several that wait for a browser that is away, the newest alone is kept.
        topic: id,
      },
      body: encryptPush(subscription, JSON.stringify({ subscription: id, message: messageId })),
    });
    return judge(status, headers['retry-after']);
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error;
    const reason = error.failure;
    // Nothing that comes back will make it another address.
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
