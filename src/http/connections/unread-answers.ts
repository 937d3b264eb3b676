// Answers that wait for their clients to read them, counted in bytes: by session, by network and in all. A client that
// asks for much and reads nothing fills its own share and no more. Small answers are not counted: each connection has
// one at most, and connections are counted themselves.

import type { ServerResponse } from 'node:http';

import { MayflyError } from '../../domain/mayfly-error.ts';
import { SharedBudget } from '../../limits/shared-budget.ts';
import type { Metrics } from '../../observe/metrics.ts';
import { type ConnectionLimits, sharesOf, unreadShares } from './connection-limits.ts';

/** Whom an answer is for. */
export interface AnswerOwner {
  readonly address: string;
  /** Undefined for what is no session's. */
  readonly session: string | undefined;
}

export interface UnreadAnswers {
  /**
   * Takes room until the response is out or its client gone.
   * @throws MayflyError too_many_unread, unavailable
   */
  hold(response: ServerResponse, owner: AnswerOwner, bytes: number): void;
}

export interface UnreadAnswersOptions {
  readonly limits: ConnectionLimits;
  readonly metrics: Metrics;
  /** Cuts a client that does not read. Returns false where there is none. */
  readonly makeRoom: () => boolean;
}

/** Below this an answer is not counted. */
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
      response.once('close', claim.giveBack);
    },
  };
}

function unread(): MayflyError {
  return new MayflyError('too_many_unread', 'Read the answers that are under way before asking for more.', {
    retryAfterSeconds: retrySeconds,
  });
}

function crowded(): MayflyError {
  return new MayflyError('unavailable', 'Too many answers are being read just now.', {
    retryAfterSeconds: retrySeconds,
  });
}
