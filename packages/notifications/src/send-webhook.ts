// Sends one delivery once: signs it, posts it through safe-fetch, and judges the answer. Independent of the queue.

import { randomBytes } from 'node:crypto';

import type { SafeFetch } from '../../networks/src/safe-fetch.ts';
import { SafeFetchError } from '../../networks/src/safe-fetch-error.ts';
import { signWebhook } from './webhook-signature.ts';

export interface WebhookEndpoint {
  readonly url: string;
  /** The newest first; all of them sign. */
  readonly secrets: readonly string[];
  readonly fetch: SafeFetch;
}

/**
 * `gone`: the endpoint answered 410 and is disabled. `reason` contains neither a URL nor any part of the answer's body.
 */
export type Outcome =
  { readonly outcome: 'done' | 'gone' } | { readonly outcome: 'failed'; readonly reason: string };

const userAgent = 'Mayfly-Webhooks';

/** `now`: ms since 1970. */
export async function sendWebhook(
  endpoint: WebhookEndpoint,
  { id, body, now }: { readonly id: string; readonly body: string; readonly now: number },
): Promise<Outcome> {
  const answer = await post(endpoint, { id, body, now, read: 'status' });
  if (typeof answer === 'string') return { outcome: 'failed', reason: answer };
  if (answer.status >= 200 && answer.status < 300) return { outcome: 'done' };
  if (answer.status === 410) return { outcome: 'gone' };
  return { outcome: 'failed', reason: `answered ${answer.status}` };
}

/** Succeeds when the target answers 2xx with the challenge, alone or as `{"challenge": …}`. */
export async function sendChallenge(
  endpoint: WebhookEndpoint,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<Outcome> {
  const challenge = randomBytes(24).toString('base64url');
  const timestamp = new Date(now).toISOString();
  const body = JSON.stringify({ type: 'webhook.challenge', timestamp, data: { challenge } });
  const answer = await post(endpoint, { id, body, now, read: 'body' });
  if (typeof answer === 'string') return { outcome: 'failed', reason: answer };
  if (answer.status < 200 || answer.status > 299) {
    return { outcome: 'failed', reason: `answered ${answer.status}` };
  }
  return readEcho(answer.body.toString()) === challenge
    ? { outcome: 'done' }
    : { outcome: 'failed', reason: 'did not echo the challenge' };
}

function readEcho(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return text.trim();
  try {
    return (JSON.parse(text) as { challenge?: unknown }).challenge;
  } catch {
    return undefined;
  }
}

async function post(
  { url, secrets, fetch }: WebhookEndpoint,
  { id, body, now, read }: { id: string; body: string; now: number; read: 'body' | 'status' },
): Promise<{ status: number; body: Buffer } | string> {
  const timestamp = Math.floor(now / 1000);
  try {
    return await fetch({
      url,
      method: 'POST',
      read,
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...signWebhook(secrets, { id, timestamp, body }),
      },
      body,
    });
  } catch (error) {
    if (error instanceof SafeFetchError) return error.failure;
    throw error;
  }
}
