// Secrets and signatures of webhooks by the Standard Webhooks specification: `whsec_` and base64 of 24 to 64 bytes;
// HMAC-SHA256 over id, timestamp and the body byte for byte. During a rotation several secrets sign.

import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const keyMinBytes = 24;
const keyMaxBytes = 64;
const newKeyBytes = 32;

export function createWebhookSecret(): string {
  return prefix + randomBytes(newKeyBytes).toString('base64');
}

/** Returns the key's bytes; undefined for an invalid secret. */
export function parseWebhookSecret(text: string): Buffer | undefined {
  if (!text.startsWith(prefix)) return undefined;
  const encoded = text.slice(prefix.length);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined;
  const key = Buffer.from(encoded, 'base64');
  return key.length >= keyMinBytes && key.length <= keyMaxBytes ? key : undefined;
}

export interface SignedContent {
  readonly id: string;
  /** When this attempt is made, whole seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** Returns the three header fields. @throws Error when a secret is invalid */
export function signWebhook(
  secrets: readonly string[],
  { id, timestamp, body }: SignedContent,
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = parseWebhookSecret(secret);
    if (!key) throw new Error('Not a webhook secret.');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
