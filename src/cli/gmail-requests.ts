// What `mayfly gmail` and `mayfly secret` ask of whoever has the store open, as it goes over the control socket.
// Credentials and keys go through it, so none of this is ever logged.

import { parseSecretKey } from '../domain/secret-key.ts';
import type { MailCredentials } from '../secrets/mail-credentials.ts';
import type { AddGmailAccountRequest } from '../service/manage-gmail.ts';
import type { ImapSecurity } from '../store/gmail-store.ts';

export type GmailRequest =
  | (AddGmailAccountRequest & { readonly command: 'gmail-add' })
  | { readonly command: 'gmail-list' }
  | { readonly command: 'gmail-test'; readonly email: string }
  | { readonly command: 'gmail-disable' | 'gmail-enable' | 'gmail-remove'; readonly email: string }
  /** In a form that parseSecretKey reads. */
  | { readonly command: 'secret-rotate'; readonly newKey: string };

type Fields = Readonly<Record<string, unknown>>;

/** Undefined when it is no request of these. */
export function parseGmailRequest(value: Fields): GmailRequest | undefined {
  const { command, email, newKey } = value;
  switch (command) {
    case 'gmail-list':
      return { command };
    case 'gmail-test':
    case 'gmail-disable':
    case 'gmail-enable':
    case 'gmail-remove':
      return typeof email === 'string' ? { command, email } : undefined;
    case 'gmail-add':
      return parseAdd(value);
    case 'secret-rotate':
      return typeof newKey === 'string' && parseSecretKey(newKey) ? { command, newKey } : undefined;
    default:
      return undefined;
  }
}

const optionalTexts = ['host', 'user', 'inboxFolder', 'spamFolder'] as const;

function parseAdd(value: Fields): GmailRequest | undefined {
  const { email, port, security } = value;
  const credentials = parseCredentials(value['credentials']);
  if (typeof email !== 'string' || !credentials) return undefined;
  if (port !== undefined && typeof port !== 'number') return undefined;
  if (security !== undefined && !isSecurity(security)) return undefined;
  const texts: Partial<Record<(typeof optionalTexts)[number], string>> = {};
  for (const name of optionalTexts) {
    const text = value[name];
    if (text !== undefined && typeof text !== 'string') return undefined;
    if (text !== undefined) texts[name] = text;
  }
  return { command: 'gmail-add', email, credentials, port, security, ...texts };
}

export function isSecurity(value: unknown): value is ImapSecurity {
  return value === 'tls' || value === 'starttls' || value === 'none';
}

function parseCredentials(value: unknown): MailCredentials | undefined {
  const { kind, password, clientId, clientSecret, refreshToken, tokenUrl } = (value ?? {}) as Fields;
  if (kind === 'password') return typeof password === 'string' ? { kind, password } : undefined;
  if (kind !== 'oauth2' || typeof clientId !== 'string' || typeof clientSecret !== 'string') return undefined;
  if (typeof refreshToken !== 'string' || typeof tokenUrl !== 'string') return undefined;
  return { kind, clientId, clientSecret, refreshToken, tokenUrl };
}
