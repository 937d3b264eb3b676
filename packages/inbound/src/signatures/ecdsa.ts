// The signature of SendGrid's requests: ECDSA on P-256 over the time and the body byte for byte, computed as the body
// arrives.

import { createPublicKey, createVerify, type KeyObject } from 'node:crypto';

import { fieldOf, type InboundRequest, unauthorized } from '../intake.ts';
import { fromBase64 } from './basic-credentials.ts';
import { checkAge } from './timestamp.ts';

const signatureField = 'x-twilio-email-event-webhook-signature';
const timestampField = 'x-twilio-email-event-webhook-timestamp';

/** Parses the key as SendGrid shows it, base64 of its DER form, or in PEM; undefined unless it is one of P-256. */
export function parsePublicKey(text: string): KeyObject | undefined {
  const der = text.replace(/-----[A-Z ]+-----|\s/g, '');
  try {
    const key = createPublicKey({ key: Buffer.from(der, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
  } catch {
    // Whatever OpenSSL minds, it is no such key.
    return undefined;
  }
}

export class EcdsaSignature {
  readonly #verify = createVerify('sha256');
  readonly #key: KeyObject;
  readonly #signature: Buffer;

  /** @throws InboundRefusal */
  constructor(request: InboundRequest, publicKey: string, windowMs: number) {
    const timestamp = fieldOf(request, timestampField) ?? '';
    const signature = fieldOf(request, signatureField) ?? '';
    const key = parsePublicKey(publicKey);
    if (!key || !/^\d{10}$/.test(timestamp) || signature === '') {
      throw unauthorized('The request is not signed: attach the security policy to the parse setting.');
    }
    checkAge(Number(timestamp) * 1000, request.now, windowMs);
    this.#key = key;
    this.#signature = fromBase64(signature);
    this.#verify.update(timestamp);
  }

  push(bytes: Buffer): void {
    this.#verify.update(bytes);
  }

  /** @throws InboundRefusal */
  check(): void {
    if (!this.#verify.verify(this.#key, this.#signature)) throw unauthorized('The signature is wrong.');
  }
}
