// Capture sessions known by a name instead of a token: the standing one that all clients share, and those of `mayfly
// dev`, where any name works. Each is created on first use, and again after it has ended.

import type { MailStore, SessionView } from '../../store/mail-store.ts';
import type { StandingTokens } from '../../store/standing-tokens.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { type SessionKey, toKeyText } from '../../domain/session.ts';
import type { CaptureSessionRequest } from './create-capture-session.ts';
import type { CreatedSession } from './claim-address.ts';
import { authenticateToken, type LiveSession, openByToken } from '../session/session-access.ts';
import type { SessionLimits } from '../session/session-limits.ts';
import { hashToken, toSessionKey } from '#sealing/token';

export interface StandingCapturesDeps {
  readonly mail: Pick<MailStore, 'findSession' | 'extendSession'>;
  readonly limits: Pick<SessionLimits, 'lifetimeMaxSeconds'>;
  readonly tokens: StandingTokens;
  readonly createCaptureSession: (request: CaptureSessionRequest) => Promise<CreatedSession>;
}

export interface StandingCaptures {
  /** `''` names the shared one. @throws MayflyError too_many_sessions, no_domain_available */
  readonly get: (name: string, view?: SessionView) => Promise<LiveSession>;
  /** Returns the same session's token, for a link to the page. */
  readonly getToken: (name: string) => Promise<string>;
  /** Returns the key of the name's last session; undefined before the first. */
  readonly keyOf: (name: string) => SessionKey | undefined;
  /** Whether the session is the one of this name. */
  readonly has: (name: string, key: SessionKey) => boolean;
}

/** The inbox of a developer's service that receives all mail of no other, and that every client can read. */
export interface SharedInbox {
  /** The inboxes of those that have logged in at SMTP, such as concurrent tests, in that order. */
  readonly workers: () => readonly Worker[];
  readonly get: () => Promise<LiveSession>;
  /** Undefined before it is first needed. */
  readonly key: () => SessionKey | undefined;
  readonly has: (key: SessionKey) => boolean;
}

export interface Worker {
  readonly name: string;
  readonly token: string;
}

/** The sessions of `mayfly dev`, which any name opens. */
export interface NamedCaptures {
  readonly sessionOf: (name: string, view?: SessionView) => Promise<LiveSession>;
  readonly tokenOf: (name: string) => Promise<string>;
  /** Resolves with undefined for a wrong password. */
  readonly logIn: (login: NamedLogin) => Promise<SessionKey | undefined>;
  /** See SharedInbox. */
  readonly workers: () => readonly Worker[];
}

interface NamedLogin {
  readonly username: string;
  readonly password: string;
}

/**
 * @param accounts the only logins, for one shared mailbox as in Mailpit; each name has its own session where there are
 * none, and any password will do
 */
export function nameCaptures(
  { get, getToken }: Pick<StandingCaptures, 'get' | 'getToken'>,
  auth: { readonly accounts: ReadonlyMap<string, string> | undefined } | undefined,
): NamedCaptures {
  const sessionOf = (name: string, view?: SessionView): Promise<LiveSession> => get(auth ? '' : name, view);
  const workers = new Map<string, string>();
  return {
    sessionOf,
    tokenOf: (name) => getToken(auth ? '' : name),
    logIn: async ({ username, password }) => {
      const accounts = auth?.accounts;
      if (accounts && accounts.get(username) !== password) return undefined;
      const { key } = (await sessionOf(username, 'committed')).session;
      if (!auth && workerName.test(username) && (workers.has(username) || workers.size < workersMax)) {
        workers.set(username, await getToken(username));
      }
      return key;
    },
    workers: () => [...workers].map(([name, token]) => ({ name, token })),
  };
}

/** Longer names may be keys of other services, which are not shown. */
const workerName = /^[\w.@+-]{1,32}$/;
const workersMax = 30;

/** Names come from outside, and each costs a session. */
const nameMaxBytes = 255;
const namesMax = 10_000;

export function createStandingCaptures(deps: StandingCapturesDeps): StandingCaptures {
  const { mail, tokens } = deps;
  const lifetimeMs = deps.limits.lifetimeMaxSeconds * 1000;
  /** Names whose session is being created; concurrent callers get the same one. */
  const beingMade = new Map<string, Promise<LiveSession>>();

  async function find(name: string, view?: SessionView): Promise<LiveSession | undefined> {
    const token = tokens.find(name) ?? '';
    const tokenHash = hashToken(token);
    if (!tokenHash) return undefined;
    const lookup = await mail.findSession(tokenHash, view);
    if (lookup.state !== 'live') return undefined;
    const { session, now } = lookup;
    const isNearEnd = session.expiresAt - now < lifetimeMs / 2 && session.expiresAt < session.latestEndAt;
    const extended = isNearEnd ? await mail.extendSession(session.key, lifetimeMs) : session;
    return extended && { session: openByToken(extended, token), now };
  }

  async function make(name: string): Promise<LiveSession> {
    if (Buffer.byteLength(name) > nameMaxBytes || tokens.count() >= namesMax) {
      throw new MayflyError('too_many_sessions', 'There are too many names, or this one is too long.');
    }
    const { lifetimeMaxSeconds: lifetimeSeconds } = deps.limits;
    // Drops the oldest messages when full, because no client ever empties it.
    const { token } = await deps.createCaptureSession({ lifetimeSeconds, onFull: 'drop_oldest' });
    tokens.keep(name, token);
    return authenticateToken(mail, token);
  }

  async function findOrMake(name: string): Promise<LiveSession> {
    try {
      return (await find(name)) ?? (await make(name));
    } finally {
      beingMade.delete(name);
    }
  }

  async function get(name: string, view?: SessionView): Promise<LiveSession> {
    const known = beingMade.get(name) ?? (await find(name, view));
    if (known) return known;
    const making = beingMade.get(name) ?? findOrMake(name);
    beingMade.set(name, making);
    return making;
  }

  return {
    get,
    keyOf: (name) => keyOf(tokens, name),
    getToken: async (name) => {
      await get(name);
      return tokens.find(name) ?? '';
    },
    has: (name, key) => {
      const own = keyOf(tokens, name);
      return own !== undefined && toKeyText(own) === toKeyText(key);
    },
  };
}

function keyOf(tokens: StandingTokens, name: string): SessionKey | undefined {
  const tokenHash = hashToken(tokens.find(name) ?? '');
  return tokenHash && toSessionKey(tokenHash);
}
