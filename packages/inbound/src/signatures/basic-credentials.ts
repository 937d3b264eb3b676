// Credentials in the URL that a provider calls, which it sends as HTTP Basic (RFC 7617). Only a hash of the password is
// kept.

import { createHash, timingSafeEqual } from 'node:crypto';

import { fieldOf, type InboundRequest, unauthorized } from '../intake.ts';

export function hashPassword(password: string): string {
  return createHash('sha256').update(password).digest('base64');
}

/** @throws InboundRefusal unless the request has this user's password */
export function checkBasic(
  request: Pick<InboundRequest, 'headers'>,
  user: string,
  passwordHash: string,
): void {
  const encoded = /^Basic +([A-Za-z0-9+/]{1,2000}={0,2})$/i.exec(
    fieldOf(request, 'authorization') ?? '',
  )?.[1];
  const given = Buffer.from(encoded ?? '', 'base64').toString();
  const colon = given.indexOf(':');
  const isUser = given.slice(0, Math.max(0, colon)) === user;
  const isPassword = isSame(hashPassword(given.slice(colon + 1)), passwordHash);
  if (!isUser || !isPassword) throw unauthorized('The user or the password in the URL is wrong.');
}

/** Returns no bytes for a text that is not the one base64 of its bytes, which Node would decode to something. */
export function fromBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : Buffer.alloc(0);
}

/** Compares in a time that depends only on the length. */
export function isSame(one: string | Uint8Array, other: string | Uint8Array): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
