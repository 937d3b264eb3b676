// Seals the credentials of mail accounts with a key derived from the operator's secret key and the place of their use,
// so that they open only for that account at that server, even if the store has been tampered with.

import { createHmac } from 'node:crypto';

import type { MailCredentials } from '#imap-reader/credentials';
import { openSealed, sealBytes } from '#sealing/seal';

/** The account and server that credentials are for. */
export interface CredentialsPlace {
  readonly email: string;
  readonly host: string;
  readonly port: number;
  readonly security: string;
  readonly user: string;
}

/** @param secretKey 32 bytes */
export function sealCredentials(
  secretKey: Uint8Array,
  place: CredentialsPlace,
  credentials: MailCredentials,
): Buffer {
  return sealBytes(keyFor(secretKey, place), 'credentials', Buffer.from(JSON.stringify(credentials)));
}

/** @throws Error when they were sealed with another key or for another place, or were altered */
export function openCredentials(
  secretKey: Uint8Array,
  place: CredentialsPlace,
  sealed: Uint8Array,
): MailCredentials {
  const plain = openSealed(keyFor(secretKey, place), 'credentials', sealed).toString();
  return JSON.parse(plain) as MailCredentials;
}

function keyFor(secretKey: Uint8Array, place: CredentialsPlace): Buffer {
  const { email, host, port, security, user } = place;
  const use = JSON.stringify(['mayfly mail credentials', email, host, port, security, user]);
  return createHmac('sha256', secretKey).update(use).digest();
}
