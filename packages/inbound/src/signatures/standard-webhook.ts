// The signature of a request by the Standard Webhooks specification: HMAC-SHA256 over id, timestamp and the body byte
// for byte, which is computed as the body arrives.

import { createHmac, type Hmac } from 'node:crypto';

import { fieldOf, type InboundRequest, unauthorized } from '../intake.ts';
import { fromBase64, isSame } from './basic-credentials.ts';
import { checkAge, toleranceMs } from './timestamp.ts';

const prefix = 'whsec_';
/** Without a dot, which separates it from the timestamp in what is signed. */
const idForm = /^[A-Za-z0-9_:-]{1,128}$/;

/** Returns the bytes of a secret; undefined when it is none. */
function parseSecret(text: string): Buffer | undefined {
  const encoded = text.startsWith(prefix) ? text.slice(prefix.length) : '';
  const key = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.alloc(0);
  return key.length >= 24 && key.length <= 64 ? key : undefined;
}

export class StandardWebhook {
  readonly id: string;
  readonly #hmac: Hmac;
  readonly #signatures: readonly string[];

  /** @throws InboundRefusal when no body could have a valid signature */
  constructor(request: Pick<InboundRequest, 'headers' | 'now'>, secret: string) {
    const id = fieldOf(request, 'webhook-id') ?? '';
    const timestamp = fieldOf(request, 'webhook-timestamp') ?? '';
    const signatures = (fieldOf(request, 'webhook-signature') ?? '').split(' ');
    const key = parseSecret(secret);
    if (!idForm.test(id) || !/^\d{1,12}$/.test(timestamp) || signatures.length > 20 || !key) {
      throw unauthorized('The request has no webhook-id, webhook-timestamp and webhook-signature.');
    }
    checkAge(Number(timestamp) * 1000, request.now, toleranceMs);
    this.id = id;
    this.#hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`);
    this.#signatures = signatures.filter((one) => one.startsWith('v1,')).map((one) => one.slice(3));
  }

  push(bytes: Buffer): void {
    this.#hmac.update(bytes);
  }

  /** @throws InboundRefusal */
  check(): void {
    const wanted = this.#hmac.digest();
    const isSigned = this.#signatures.some((one) => isSame(fromBase64(one), wanted));
    if (!isSigned) throw unauthorized('The signature is wrong.');
  }
}
