// Adds, lists and removes the push subscriptions of a session. They are sealed with the session's data key, so that
// they end with it. webhooks/push sends the notifications.

import { randomBytes } from 'node:crypto';

import { MayflyError } from '../../domain/mayfly-error.ts';
import { type PushSubscription, pushSubscriptionsMax } from '../../domain/push-subscription.ts';
import type { Session } from '../../domain/session.ts';
import { arePushKeys } from '../../secrets/push-message.ts';
import { openSealed, sealBytes } from '../../secrets/seal.mjs';
import type { SessionTextStore } from '../../store/session-text-store.ts';
import { sessionExpired } from '../../domain/gone.ts';
import { changeSessionText } from '../session/change-session-text.ts';
import type { LiveSession } from '../session/session-access.ts';

/** The push notifications that the operator offers. */
export interface PushOffer {
  /** In base64url, as browsers expect it. */
  readonly publicKey: string;
  /** Reports whether the endpoint is at an allowed push service. */
  isAllowed(endpoint: string): boolean;
}

export interface PushDeps {
  readonly pushes: SessionTextStore;
  /** Undefined where the operator has not enabled push. */
  readonly push?: PushOffer | undefined;
}

/** @throws MayflyError not_found, invalid_parameter, session_expired */
export async function subscribePush(
  deps: PushDeps,
  { session }: LiveSession,
  given: Omit<PushSubscription, 'id'>,
): Promise<PushSubscription> {
  if (!deps.push) throw new MayflyError('not_found', 'This service sends no push messages.');
  if (!deps.push.isAllowed(given.endpoint)) {
    throw new MayflyError('invalid_parameter', '`endpoint` is not at an allowed push service.', {
      parameter: 'endpoint',
    });
  }
  if (!arePushKeys(given)) {
    throw new MayflyError(
      'invalid_parameter',
      '`p256dh` and `auth` are not the keys of a push subscription.',
      {
        parameter: 'p256dh',
      },
    );
  }
  const subscription: PushSubscription = { id: randomBytes(16).toString('base64url'), ...given };
  const isChanged = await changePushes(deps, session, (all) => [
    ...all.filter(({ endpoint }) => endpoint !== given.endpoint).slice(1 - pushSubscriptionsMax),
    subscription,
  ]);
  if (!isChanged) throw sessionExpired();
  return subscription;
}

/** Reports whether there was one. */
export function unsubscribePush(deps: PushDeps, { session }: LiveSession, id: string): Promise<boolean> {
  return dropPush(deps, session, id);
}

/** Returns the oldest first; none for a session that has ended. */
export async function listPushes(
  { pushes }: PushDeps,
  session: Session,
): Promise<readonly PushSubscription[]> {
  return open(session, await pushes.read(session.key));
}

/** Removes a subscription that is no longer valid. Reports whether there was one. */
export function dropPush(deps: PushDeps, session: Session, id: string): Promise<boolean> {
  return changePushes(deps, session, (all) => all.filter((one) => one.id !== id));
}

/** Resolves with false when nothing changed, as for a session that has ended. */
async function changePushes(
  { pushes }: PushDeps,
  session: Session,
  change: (current: readonly PushSubscription[]) => readonly PushSubscription[],
): Promise<boolean> {
  const outcome = await changeSessionText(pushes, session, (before) => {
    const current = open(session, before);
    const changed = change(current);
    if (changed.length === current.length && changed.every((one) => current.includes(one))) return undefined;
    return changed.length === 0 ? null : seal(session, changed);
  });
  return outcome === 'changed';
}

function seal({ dataKey }: Session, all: readonly PushSubscription[]): string {
  return sealBytes(dataKey, 'push', Buffer.from(JSON.stringify(all))).toString('base64');
}

function open({ dataKey }: Session, text: string | null): readonly PushSubscription[] {
  if (text === null) return [];
  return JSON.parse(
    openSealed(dataKey, 'push', Buffer.from(text, 'base64')).toString(),
  ) as PushSubscription[];
}
