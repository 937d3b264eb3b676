// Handles, which a model holds instead of tokens. A handle is the token, encrypted and authenticated with a key
// derived from this server's secret, the service's URL and the caller's API key, so a caller cannot use another's.

import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

import { Refusal } from './refusal.ts';

/** The form of every handle, in base64url after the prefix. */
const handlePattern = /^mbox_[A-Za-z0-9_-]{99}$/;

const prefix = 'mbox_';
const ivBytes = 12;
const tagBytes = 16;
/** Padded, so that all handles have the same length; tokens are shorter. */
const sealedBytes = 46;
const algorithm = 'aes-256-gcm';

export interface Binding {
  readonly secret: Uint8Array;
  readonly url: string;
  readonly apiKey: string | undefined;
}

export class HandleSealer {
  readonly #key: Buffer;

  constructor({ secret, url, apiKey = '' }: Binding) {
    const salt = createHash('sha256').update(url).digest();
    const info = `mayfly-mcp handle 1 ${createHash('sha256').update(apiKey).digest('hex')}`;
    this.#key = Buffer.from(hkdfSync('sha256', secret, salt, info, 32));
  }

  seal(token: string): string {
    const bytes = Buffer.from(token, 'latin1');
    if (bytes.length !== sealedBytes) throw new RangeError('The service made a token of another length.');
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, this.#key, iv);
    const sealed = Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    return prefix + sealed.toString('base64url');
  }

  /** @throws Refusal for any handle not sealed with this key */
  open(handle: string): string {
    const bytes = handlePattern.test(handle)
      ? Buffer.from(handle.slice(prefix.length), 'base64url')
      : Buffer.alloc(0);
    if (bytes.length !== ivBytes + sealedBytes + tagBytes) throw new Refusal('unknown_handle');
    // The last character of base64url has unused bits: only the canonical spelling is accepted.
    if (prefix + bytes.toString('base64url') !== handle) throw new Refusal('unknown_handle');
    const decipher = createDecipheriv(algorithm, this.#key, bytes.subarray(0, ivBytes));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    const opened = decipher.update(bytes.subarray(ivBytes, -tagBytes));
    try {
      return Buffer.concat([opened, decipher.final()]).toString('latin1');
    } catch (error) {
      throw new Refusal('unknown_handle', { cause: error });
    }
  }
}
