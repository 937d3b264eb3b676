// Answers AUTH of a receiving protocol: are these the user name and password of a live capture session? The user name is
// its label, the password its token. A wrong pair takes as long as a right one, and counts as a wrong token over HTTP does.

import { createHash, timingSafeEqual } from 'node:crypto';

import { captureLabel } from '../domain/capture.ts';
import type { SessionKey } from '../domain/session.ts';
import type { GcraLimiter } from '../limits/gcra-limiter.ts';
import { hashToken } from '../secrets/token.ts';
import type { MailStore } from '../store/mail-store.ts';

/** `limited`: wrong, and its network has given too many that were. */
export type SmtpAuthentication = { readonly key: SessionKey } | 'wrong' | 'limited';

export interface AuthenticateSmtpDeps {
  readonly mail: Pick<MailStore, 'findSession'>;
  /** By client network; the one that counts wrong tokens. */
  readonly wrongCredentials: Pick<GcraLimiter, 'take'>;
  /** Where a developer's service takes names: makes or finds the session of one; undefined for a wrong password. */
  readonly captureByName?: (login: SmtpLogin) => Promise<SessionKey | undefined>;
}

export interface SmtpLogin {
  readonly username: string;
  readonly password: string;
  /** The client network it comes from. */
  readonly network: string;
}

export async function authenticateSmtp(
  { mail, wrongCredentials, captureByName }: AuthenticateSmtpDeps,
  login: SmtpLogin,
): Promise<SmtpAuthentication> {
  const { username, password, network } = login;
  const name = username.toLowerCase();
  // Looked up whatever it looks like: how long the answer takes must not tell how near a password was.
  const lookup = await mail.findSession(hashToken(password) ?? sha256(password));
  const session = lookup.state === 'live' ? lookup.session : undefined;
  const label = session && captureLabel(session);
  const isLabel = timingSafeEqual(sha256(name), sha256(label ?? ''));
  if (session && label !== undefined && isLabel) return { key: session.key };
  const key = captureByName && name !== '' ? await captureByName(login) : undefined;
  if (key) return { key };
  return wrongCredentials.take(network).isAllowed ? 'wrong' : 'limited';
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
