// Passwords of sessions: an address and a password recover the session's token. The token is stored sealed with a key
// derived from the password, and again with one of the service's own, so that the store alone allows no guessing. Deriving a key
// takes a tenth of a second, so derivations take turns by network, a few at a time; an unknown address costs as much as
// a wrong password.

import { randomBytes } from 'node:crypto';

import { parseMailbox } from '#mail-receiver/address';
import { toAliasKey } from '#gmail-aliases/alias';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { parsePassword } from '../../domain/password.ts';
import type { SessionKey } from '../../domain/session.ts';
import {
  createDecoyLock,
  derivePasswordKey,
  lockToken,
  type PasswordKey,
  unlockToken,
} from '#sealing/password-lock';
import { sealBytes, tryOpenSealed } from '#sealing/seal';
import { deriveServerKey } from '#sealing/server-key';
import { createToken, hashToken } from '#sealing/token';
import type { MailStore } from '../../store/mail-store.ts';
import type { PasswordStore } from '../../store/password-store.ts';
import { openByToken } from '../session/session-access.ts';
import type { ServiceTurns } from '../session/service-turns.ts';
import type { CreatedSession } from './claim-address.ts';

const decoy = createDecoyLock(createToken().token.length);
/** Opens under no key, at the cost of one that does. */
const sealedDecoy = sealBytes(randomBytes(32), 'password', decoy);

export interface PasswordTurns {
  readonly turns: Pick<ServiceTurns, 'passwords'>;
}

export interface PasswordDeps extends PasswordTurns {
  readonly mail: MailStore;
  readonly passwords: PasswordStore;
  /** 32 bytes. */
  readonly serverKey: Uint8Array;
}

/** The caller's network and its remaining wrong tries. */
export interface PasswordTries {
  /** The network as limits count it. */
  readonly network: string;
  /** @throws MayflyError rate_limited when none are left */
  requireLeft(): void;
  /** @throws MayflyError rate_limited instead of the actual result */
  recordWrong(): void;
}

export interface ReopenRequest {
  /** Both are untrusted. */
  readonly address: string;
  readonly password: string;
}

export interface ReopenedSession extends CreatedSession {
  /** The store's clock, ms since 1970. */
  readonly now: number;
}

/**
 * Derives the key before the session exists.
 * @throws MayflyError invalid_parameter, missing_parameter, unavailable
 */
export async function preparePassword(
  { turns }: PasswordTurns,
  password: string,
  network: string,
): Promise<PasswordKey> {
  const parsed = parsePassword(password);
  return turns.passwords.run({ session: network, network }, () => derivePasswordKey(parsed));
}

/**
 * Sets the password of a new session. If that fails the session is ended, because its creator receives an error and
 * never the token.
 * @throws MayflyError unavailable
 */
export async function keepPassword(
  { mail, passwords, serverKey }: PasswordDeps,
  { session, token }: CreatedSession,
  prepared: PasswordKey,
): Promise<void> {
  const sealed = sealBytes(
    deriveServerKey(serverKey, 'password', session.key),
    'password',
    lockToken(prepared, token),
  );
  try {
    if (await passwords.replacePassword(session.key, sealed)) return;
  } catch (error) {
    await mail.endSession(session.key);
    throw error;
  }
  throw new MayflyError('unavailable', 'The session ended before its password was kept.');
}

/**
 * Returns the session at the address if the password is right.
 * @throws MayflyError wrong_password, rate_limited, invalid_parameter, missing_parameter, unavailable
 */
export async function reopenByPassword(
  deps: PasswordDeps,
  { address, password }: ReopenRequest,
  tries: PasswordTries,
): Promise<ReopenedSession> {
  const parsed = parsePassword(password);
  tries.requireLeft();
  const { network } = tries;
  return deps.turns.passwords.run({ session: network, network }, async () => {
    // Other tries of this network may have failed meanwhile.
    tries.requireLeft();
    const { lock, isDecoy } = await findLock(deps, address);
    const token = await unlockToken(lock, parsed);
    const reopened = token === undefined || isDecoy ? undefined : await findByToken(deps.mail, token);
    if (reopened) return reopened;
    tries.recordWrong();
    throw new MayflyError('wrong_password', 'No live session has this address and this password.', {
      parameter: 'password',
    });
  });
}

/** Performs the same steps for every address, so that timing reveals nothing. */
async function findLock(
  { mail, passwords, serverKey }: PasswordDeps,
  text: string,
): Promise<{ readonly lock: Uint8Array; readonly isDecoy: boolean }> {
  const address = parseMailbox(text);
  const session = await mail.findLiveSession(address === undefined ? '' : toAliasKey(address));
  const sessionKey = session?.key ?? randomKey();
  const sealed = await passwords.readPassword(sessionKey);
  const key = deriveServerKey(serverKey, 'password', sessionKey);
  // One that was sealed under an earlier server.key is as good as none.
  const lock = tryOpenSealed(key, 'password', sealed ?? sealedDecoy);
  return { lock: lock ?? decoy, isDecoy: lock === undefined };
}

function randomKey(): SessionKey {
  const bytes: Uint8Array = randomBytes(16);
  return bytes as SessionKey;
}

/** Resolves with undefined when the session has ended meanwhile. */
async function findByToken(mail: MailStore, token: string): Promise<ReopenedSession | undefined> {
  const tokenHash = hashToken(token);
  if (!tokenHash) throw new Error('A stored token has the wrong form.');
  const lookup = await mail.findSession(tokenHash);
  return lookup.state === 'live'
    ? { token, session: openByToken(lookup.session, token), now: lookup.now }
    : undefined;
}
