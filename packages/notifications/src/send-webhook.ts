// Sends one delivery once: signs it, posts it through safe-fetch, and judges the answer. Independent of the queue.

import { randomBytes } from 'node:crypto';

import type { SafeFetch } from '../../networks/src/safe-fetch.ts';
import { SafeFetchError } from '../../networks/src/safe-fetch-error.ts';
import type { ChatRequest } from './chat-message.ts';
import { signWebhook } from './webhook-signature.ts';

export interface WebhookEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface WebhookEndpoint {
  readonly url: string;
  /** The newest first; all of them sign. */
  readonly secrets: readonly string[];
  readonly fetch: SafeFetch;
  /** For a chat service: what it is sent of an event in place of the signed event; undefined for nothing. */
  readonly toChat?: ((event: WebhookEvent) => Promise<ChatRequest | undefined>) | undefined;
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
  { id, event, now }: { readonly id: string; readonly event: WebhookEvent; readonly now: number },
): Promise<Outcome> {
  if (endpoint.toChat) {
    const request = await endpoint.toChat(event);
    return request ? judge(await post(endpoint, { ...request, read: 'status' })) : { outcome: 'done' };
  }
  return judge(await postSigned(endpoint, { id, body: JSON.stringify(event), now, read: 'status' }));
}

function judge(answer: Posted): Outcome {
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
  const answer = await postSigned(endpoint, { id, body, now, read: 'body' });
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

/** The answer, or why there is none. */
type Posted = { readonly status: number; readonly body: Buffer } | string;

function postSigned(
  endpoint: WebhookEndpoint,
  { id, body, now, read }: { id: string; body: string; now: number; read: 'body' | 'status' },
): Promise<Posted> {
  const timestamp = Math.floor(now / 1000);
  const signature = signWebhook(endpoint.secrets, { id, timestamp, body });
  const headers = { 'content-type': 'application/json', ...signature };
  return post(endpoint, { url: endpoint.url, headers, body, read });
}

async function post(
  { fetch }: Pick<WebhookEndpoint, 'fetch'>,
  { url, headers, body, read }: ChatRequest & { readonly read: 'body' | 'status' },
): Promise<Posted> {
  try {
    return await fetch({ url, method: 'POST', read, headers: { 'user-agent': userAgent, ...headers }, body });
  } catch (error) {
    if (error instanceof SafeFetchError) return error.failure;
    throw error;
  }
}
