// The access rules between callers and operations: keys, rates, caps, blocks and challenges. Operations depend only on
// this interface. Implemented by create-access.ts.

import type { Challenge } from '#networks/challenge';
import type { Session } from '../../domain/session.ts';
import type { PasswordTries } from '../../service/addresses/session-password.ts';
import type { Caller } from '../caller.ts';

/** The part of a create-session request that decides whether it is allowed. */
export interface CreateAttempt {
  readonly prefix: string | undefined;
  readonly challenge: string | undefined;
  readonly wantsGmail: boolean;
  readonly wantsWebhook: boolean;
  readonly wantsCapture?: boolean | undefined;
}

export interface CreateGrant {
  /** Call when the session was created. */
  recordMade(session: Session): void;
}

export interface Access {
  /** Counts a request of a live session. @throws MayflyError rate_limited */
  takeRequest(caller: Caller, session: Session, by: 'token' | 'ticket' | 'share'): void;
  /** Counts a wrong token, key or password. @throws MayflyError rate_limited instead of the actual error */
  recordWrongCredential(caller: Caller): void;
  /** @throws MayflyError rate_limited when the caller has sent too many wrong tokens, keys or passwords */
  requireTries(caller: Caller): void;
  /**
   * Admits a new session.
   * @throws MayflyError invalid_api_key, api_key_required, insufficient_scope, blocked_network, rate_limited,
   * reserved_prefix, challenge_required, too_many_sessions, unavailable
   */
  admitCreate(caller: Caller, attempt: CreateAttempt): Promise<CreateGrant>;
  /**
   * Admits another address for a session, which counts like a new session.
   * @throws MayflyError invalid_api_key, insufficient_scope, blocked_network, rate_limited, reserved_prefix
   */
  admitRename(caller: Caller, prefix: string | undefined): void;
  /** Call when the session's end moves, or it has ended (null). */
  recordChanged(session: Session, expiresAt: number | null): void;
  /** Returns undefined when none is required, as for a caller with a key. @throws MayflyError invalid_api_key */
  issueChallenge(caller: Caller): Challenge | undefined;
}

/** Returns the caller's tries at passwords, counted together with those at tokens. */
export function toPasswordTries(access: Access, caller: Caller): PasswordTries {
  return {
    network: caller.network,
    requireLeft: () => {
      access.requireTries(caller);
    },
    recordWrong: () => {
      access.recordWrongCredential(caller);
    },
  };
}
