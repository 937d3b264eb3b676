// Push subscriptions of a session: taking, listing and dropping them. They are sealed under the session's data key, so
// that they are gone with it. Sending is webhooks/push.

import { randomBytes } from 'node:crypto';

import { MayflyError } from '../domain/mayfly-error.ts';
import { type PushSubscription, pushSubscriptionsMax } from '../domain/push-subscription.ts';
import type { Session } from '../domain/session.ts';
import { arePushKeys } from '../secrets/push-message.ts';
import { openSealed, sealBytes } from '../secrets/seal.mjs';
import type { SessionTextStore } from '../store/session-text-store.ts';
import { type LiveSession, sessionExpired } from './session-access.ts';

/** The operator's settings for push. */
export interface PushOffer {
  /** In base64url, as browsers take it. */
  readonly publicKey: string;
  /** Whether the endpoint is at a push service that may be sent to. */
  isAllowed(endpoint: string): boolean;
}

export interface PushDeps {
  readonly pushes: SessionTextStore;
  /** Undefined where the operator has left it off. */
  readonly push?: PushOffer | undefined;
}

/** Others change the list seldom, and at once hardly ever. */
const changeTries = 5;

/** @throws MayflyError not_found, invalid_parameter, session_expired */
export async function subscribePush(
  deps: PushDeps,
  { session }: LiveSession,
  given: Omit<PushSubscription, 'id'>,
): Promise<PushSubscription> {
  if (!deps.push) throw new MayflyError('not_found', 'This service sends no push messages.');
  if (!deps.push.isAllowed(given.endpoint)) {
    throw new MayflyError('invalid_parameter', '`endpoint` is at no push service that is sent to.', {
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

/** Whether there was one. */
export function unsubscribePush(deps: PushDeps, { session }: LiveSession, id: string): Promise<boolean> {
  return dropPush(deps, session, id);
}

/** Oldest first; none of a session that is over. */
export async function listPushes(
  { pushes }: PushDeps,
  session: Session,
): Promise<readonly PushSubscription[]> {
  return open(session, await pushes.read(session.key));
}

/** Takes one that is no longer good out. Whether there was one. */
export function dropPush(deps: PushDeps, session: Session, id: string): Promise<boolean> {
  return changePushes(deps, session, (all) => all.filter((one) => one.id !== id));
}

/** False when nothing changed, as of a session that is over. */
async function changePushes(
  { pushes }: PushDeps,
  session: Session,
  change: (current: readonly PushSubscription[]) => readonly PushSubscription[],
): Promise<boolean> {
  for (let tries = 1; tries <= changeTries; tries++) {
    const before = await pushes.read(session.key);
    const current = open(session, before);
    const changed = change(current);
    if (changed.length === current.length && changed.every((one) => current.includes(one))) return false;
    const after = changed.length === 0 ? null : seal(session, changed);
    if (await pushes.replace(session.key, { before, after })) return true;
    if (before === null && (await pushes.read(session.key)) === null) return false;
  }
  throw new MayflyError('unavailable', 'The subscriptions of the session are changing; try again.');
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
