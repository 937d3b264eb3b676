// Counts the bytes of answers that clients have not read yet: by session, by network and in all. A client that sends
// many requests and reads nothing fills only its own share. Small answers do not count, since each connection has at
// most one.

import type { ServerResponse } from 'node:http';

import { SharedBudget } from '#networks/shared-budget';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Metrics } from '../../observe/metrics.ts';
import { type ConnectionLimits, sharesOf, unreadShares } from '#http-parts/connection-limits';

/** The session and network that an answer counts against. */
export interface AnswerOwner {
  readonly address: string;
  /** Undefined when it belongs to no session. */
  readonly session: string | undefined;
}

export interface UnreadAnswers {
  /**
   * Takes room until the response has been sent or the client has gone.
   * @throws MayflyError too_many_unread, unavailable
   */
  hold(response: ServerResponse, owner: AnswerOwner, bytes: number): void;
}

export interface UnreadAnswersOptions {
  readonly limits: ConnectionLimits;
  readonly metrics: Metrics;
  /** Cuts a client that does not read. Returns false when there is none. */
  readonly makeRoom: () => boolean;
}

/** Smaller answers are not counted. */
const smallAnswerBytes = 16 * 1024;

const retrySeconds = 5;

export function createUnreadAnswers({ limits, metrics, makeRoom }: UnreadAnswersOptions): UnreadAnswers {
  const budget = new SharedBudget(limits.unreadMaxBytes);
  const shares = unreadShares(limits);
  metrics.registry.onCollect(() => {
    metrics.httpUnreadBytes.of().value = budget.used;
  });
  return {
    hold(response, owner, bytes) {
      if (bytes < smallAnswerBytes || response.closed) return;
      const { address, session } = owner;
      const own = [
        ...(session === undefined ? [] : [{ key: `session ${session}`, max: shares.session }]),
        ...sharesOf(address, shares.address),
      ];
      let claim = budget.claim(own, bytes);
      if (!claim.isHeld && !claim.spent && makeRoom()) claim = budget.claim(own, bytes);
      if (!claim.isHeld) {
        metrics.httpRefused.of('unread').value += 1;
        throw claim.spent ? unread() : crowded();
      }
      response.once('close', claim.release);
    },
  };
}

function unread(): MayflyError {
  return new MayflyError('too_many_unread', 'Read the answers in progress before sending more requests.', {
    retryAfterSeconds: retrySeconds,
  });
}

function crowded(): MayflyError {
  return new MayflyError('unavailable', 'Too many answers are being read just now.', {
    retryAfterSeconds: retrySeconds,
  });
}
