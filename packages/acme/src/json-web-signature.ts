// JSON Web Signatures as ACME uses them (RFC 8555 §6.2): by the account's key on P-256, and by the shared key of an
// external account (§7.3.4).

import { createHash, createHmac, createPublicKey, type KeyObject, sign } from 'node:crypto';

/** The public part of the account's key (RFC 7517), with its members in the order of a thumbprint (RFC 7638 §3). */
export interface AccountJwk {
  readonly crv: string;
  readonly kty: string;
  readonly x: string;
  readonly y: string;
}

export interface ExternalAccount {
  readonly keyId: string;
  /** In base64url. */
  readonly hmacKey: string;
}

/** The protected header, apart from the algorithm. */
export type JwsHeader = { readonly url: string; readonly nonce?: string } & (
  { readonly jwk: AccountJwk } | { readonly kid: string }
);

/** @param key private, on P-256 */
export function toJwk(key: KeyObject): AccountJwk {
  const { crv = '', kty = '', x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' });
  if (crv !== 'P-256') throw new Error('The key of an ACME account must be on P-256.');
  return { crv, kty, x, y };
}

/** The thumbprint of the key (RFC 7638), part of every answer to a challenge. */
export function toThumbprint(key: KeyObject): string {
  return createHash('sha256')
    .update(JSON.stringify(toJwk(key)))
    .digest('base64url');
}

/** @param payload null for a request that only reads, whose payload is empty (RFC 8555 §6.3) */
export function signJws(key: KeyObject, header: JwsHeader, payload: object | null): string {
  return assemble({ alg: 'ES256', ...header }, payload, (text) =>
    sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }),
  );
}

/** The binding of an account's key to an external account. */
export function signBinding({ keyId, hmacKey }: ExternalAccount, url: string, jwk: AccountJwk): object {
  const secret = Buffer.from(hmacKey, 'base64url');
  const text = assemble({ alg: 'HS256', kid: keyId, url }, jwk, (signed) =>
    createHmac('sha256', secret).update(signed).digest(),
  );
  return JSON.parse(text) as object;
}

function assemble(header: object, payload: object | null, signText: (text: string) => Buffer): string {
  const protectedPart = Buffer.from(JSON.stringify(header)).toString('base64url');
  const payloadPart = payload === null ? '' : Buffer.from(JSON.stringify(payload)).toString('base64url');
  const signature = signText(`${protectedPart}.${payloadPart}`).toString('base64url');
  return JSON.stringify({ protected: protectedPart, payload: payloadPart, signature });
}
