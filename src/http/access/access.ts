// What stands between a caller and the operations: keys, rates, caps, blocks and challenges. An operation and the
// serving of one ask it; they know nothing of how it decides. Implemented by create-access.ts; `openAccess` lets all.

import type { Session } from '../../domain/session.ts';
import type { Challenge } from '../../secrets/challenge.ts';
import type { PasswordTries } from '../../service/session-password.ts';
import type { Caller } from '../caller.ts';

/** What create-session was asked for, as far as it decides whether it may be. */
export interface CreateAttempt {
  readonly prefix: string | undefined;
  readonly challenge: string | undefined;
  readonly wantsGmail: boolean;
  readonly wantsWebhook: boolean;
  readonly wantsCapture?: boolean | undefined;
}

export interface CreateGrant {
  /** The session was made. */
  noteMade(session: Session): void;
}

export interface Access {
  /** Counts a request of a live session. @throws MayflyError rate_limited */
  takeRequest(caller: Caller, session: Session, by: 'token' | 'ticket' | 'share'): void;
  /** A wrong token, key or password. @throws MayflyError rate_limited in place of what would have been told */
  noteWrongCredential(caller: Caller): void;
  /** @throws MayflyError rate_limited when the caller has given too many wrong tokens, keys or passwords */
  requireTries(caller: Caller): void;
  /**
   * @throws MayflyError invalid_api_key, api_key_required, insufficient_scope, blocked_network, rate_limited, reserved_prefix,
   * challenge_required, too_many_sessions, unavailable
   */
  admitCreate(caller: Caller, attempt: CreateAttempt): Promise<CreateGrant>;
  /**
   * A session asks for another address, which counts as asking for a session.
   * @throws MayflyError invalid_api_key, insufficient_scope, blocked_network, rate_limited, reserved_prefix
   */
  admitRename(caller: Caller, prefix: string | undefined): void;
  /** The session ends at another instant, or has ended (null). */
  noteChanged(session: Session, expiresAt: number | null): void;
  /** Undefined where none is needed. */
  issueChallenge(): Challenge | undefined;
}

/** The caller's tries at passwords, which count as those at tokens. */
export function toPasswordTries(access: Access, caller: Caller): PasswordTries {
  return {
    network: caller.network,
    requireLeft: () => {
      access.requireTries(caller);
    },
    noteWrong: () => {
      access.noteWrongCredential(caller);
    },
  };
}

const openGrant: CreateGrant = { noteMade: () => undefined };

export const openAccess: Access = {
  takeRequest: () => undefined,
  noteWrongCredential: () => undefined,
  requireTries: () => undefined,
  admitCreate: () => Promise.resolve(openGrant),
  admitRename: () => undefined,
  noteChanged: () => undefined,
  issueChallenge: () => undefined,
};
