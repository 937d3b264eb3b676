// Answers AUTH: checks whether a user name and password are the label and token of a live capture session. A wrong pair
// takes as long as a right one, and counts like a wrong token over HTTP.

import { createHash, timingSafeEqual } from 'node:crypto';

import type { NetworkLimiter } from '#networks/network-limiter';
import { captureLabel } from '../../domain/addresses/capture.ts';
import type { SessionKey } from '../../domain/session.ts';
import { hashToken } from '#sealing/token';
import type { MailStore } from '../../store/mail-store.ts';

/** `limited`: wrong, from a network that has sent too many wrong ones. */
export type SmtpAuthentication = { readonly key: SessionKey } | 'wrong' | 'limited';

export interface AuthenticateSmtpDeps {
  readonly mail: Pick<MailStore, 'findSession'>;
  /** By client network; shared with wrong tokens. */
  readonly wrongCredentials: Pick<NetworkLimiter, 'take'>;
  /** Finds or creates the session of a name, for `mayfly dev`; resolves with undefined for a wrong password. */
  readonly captureByName: ((login: SmtpLogin) => Promise<SessionKey | undefined>) | undefined;
}

export interface SmtpLogin {
  readonly username: string;
  readonly password: string;
  /** The client's network. */
  readonly network: string;
}

export async function authenticateSmtp(
  { mail, wrongCredentials, captureByName }: AuthenticateSmtpDeps,
  login: SmtpLogin,
): Promise<SmtpAuthentication> {
  const { username, password, network } = login;
  const name = username.toLowerCase();
  // Always look up, even an impossible password, so that the time taken reveals nothing about it.
  const lookup = await mail.findSession(hashToken(password) ?? sha256(password), 'committed');
  const session = lookup.state === 'live' ? lookup.session : undefined;
  const label = session && captureLabel(session);
  // Some clients write the label as an address, LABEL@DOMAIN.
  const isLabel = timingSafeEqual(sha256(name.replace(/@.*$/s, '')), sha256(label ?? ''));
  if (session && label !== undefined && isLabel) return { key: session.key };
  const key = captureByName && name !== '' ? await captureByName(login) : undefined;
  if (key) return { key };
  return wrongCredentials.take(network).isAllowed ? 'wrong' : 'limited';
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
