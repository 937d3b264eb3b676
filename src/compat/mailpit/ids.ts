// Ids in Mailpit's form: 22 letters and digits. A message's number is encrypted under the session's key, so that an id
// is a secret: an address that contains one cannot be made up by a page of another site.

import { type Cipher, createCipheriv, createDecipheriv, createHmac, type Decipher } from 'node:crypto';

import type { Session } from '../../domain/session.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = BigInt(digits.length);
const idLength = 22;
const blockBytes = 16;
const numberBytes = 8;
const form = /^[0-9A-Za-z]{22}$/;

/** Converts between the ids and the numbers of one session. Each is one block of AES, which needs no mode. */
export class MailpitIds {
  readonly #key: Buffer;
  #encrypting: Cipher | undefined;
  #decrypting: Decipher | undefined;

  constructor({ salt }: Pick<Session, 'salt'>) {
    this.#key = createHmac('sha256', salt).update('mailpit ids').digest().subarray(0, blockBytes);
  }

  toId(number: number): string {
    const block = Buffer.alloc(blockBytes);
    block.writeBigUInt64BE(BigInt(number), blockBytes - numberBytes);
    this.#encrypting ??= createCipheriv('aes-128-ecb', this.#key, null).setAutoPadding(false);
    let rest = BigInt(`0x${this.#encrypting.update(block).toString('hex')}`);
    let id = '';
    for (; id.length < idLength; rest /= base) id = (digits[Number(rest % base)] ?? '') + id;
    return id;
  }

  /** Returns undefined unless it is an id of this session. */
  toNumber(id: string): number | undefined {
    if (!form.test(id)) return undefined;
    let value = 0n;
    for (const digit of id) value = value * base + BigInt(digits.indexOf(digit));
    if (value >> BigInt(blockBytes * 8) > 0n) return undefined;
    const block = Buffer.from(value.toString(16).padStart(blockBytes * 2, '0'), 'hex');
    this.#decrypting ??= createDecipheriv('aes-128-ecb', this.#key, null).setAutoPadding(false);
    const plain = this.#decrypting.update(block);
    const isOwn = plain.subarray(0, blockBytes - numberBytes).every((byte) => byte === 0);
    const number = Number(plain.readBigUInt64BE(blockBytes - numberBytes));
    return isOwn && number > 0 && Number.isSafeInteger(number) ? number : undefined;
  }
}
