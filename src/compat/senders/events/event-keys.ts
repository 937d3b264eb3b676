// The keys that sign events. Those of HMAC are the operator's secret itself; SendGrid's key follows from it, so that its
// public part stays the same; SNS's is made when it is first needed, since it comes with a certificate.

import {
  createECDH,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
} from 'node:crypto';
import { promisify } from 'node:util';

import { certifyRsa } from '#certificates/self-signed';
import { parseWebhookSecret } from '#notifications/webhook-signature';
import type { EventKeys } from '#senders/sent-mail';

/** @param secret `whsec_…`, checked */
export function createEventKeys(secret: string): EventKeys {
  let rsa: ReturnType<EventKeys['rsa']> | undefined;
  return { secret, ecKey: deriveEcKey(secret), rsa: () => (rsa ??= makeRsa()) };
}

/** Base64 of the public key, as SendGrid shows it. */
export function publicKeyText({ ecKey }: Pick<EventKeys, 'ecKey'>): string {
  return createPublicKey(ecKey).export({ type: 'spki', format: 'der' }).toString('base64');
}

function deriveEcKey(secret: string): KeyObject {
  const key = parseWebhookSecret(secret);
  if (!key) throw new Error('Not a webhook secret.');
  const curve = createECDH('prime256v1');
  // All but one in 2^32 numbers are keys.
  const scalar = createHmac('sha256', key).update('mayfly sendgrid events').digest();
  curve.setPrivateKey(scalar);
  const point = curve.getPublicKey();
  return createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: scalar.toString('base64url'),
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
}

async function makeRsa(): ReturnType<EventKeys['rsa']> {
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const from = new Date();
  const until = new Date(from.getTime() + 365 * 24 * 3_600_000);
  const certificatePem = certifyRsa(pair, { hostname: 'sns.amazonaws.com', from, until });
  return { privateKey: pair.privateKey, certificatePem };
}
