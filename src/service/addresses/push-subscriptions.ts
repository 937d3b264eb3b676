// Adds, lists and removes the push subscriptions of a session. They are sealed under the server's key, because they are
// used without a reader; they end with the session's row. webhooks/push sends the notifications.

import { randomBytes } from 'node:crypto';

import { arePushKeys } from '#notifications/push-message';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { type PushSubscription, pushSubscriptionsMax } from '#notifications/push-subscription';
import type { Session } from '../../domain/session.ts';
import { sealBytes, tryOpenSealed } from '#sealing/seal';
import { deriveServerKey } from '#sealing/server-key';
import type { SessionTextStore } from '../../store/session-text-store.ts';
import { sessionExpired } from '../../domain/gone.ts';
import { changeSessionText, type TextTurns } from '../session/change-session-text.ts';
import type { LiveSession } from '../session/session-access.ts';

/** The push notifications that the operator offers. */
export interface PushOffer {
  /** In base64url, as browsers expect it. */
  readonly publicKey: string;
  /** Reports whether the endpoint is at an allowed push service. */
  isAllowed(endpoint: string): boolean;
  readonly serverKey: Uint8Array;
}

export interface PushDeps extends TextTurns {
  readonly pushes: SessionTextStore;
  /** Undefined where the operator has not enabled push. */
  readonly push: PushOffer | undefined;
}

type SealedPushDeps = Pick<PushDeps, 'pushes' | 'turns'> & { readonly push: Sealing };

/** @throws MayflyError not_found, invalid_parameter, session_expired */
export async function subscribePush(
  { pushes, push, turns }: PushDeps,
  { session }: LiveSession,
  given: Omit<PushSubscription, 'id'>,
): Promise<PushSubscription> {
  if (!push) throw new MayflyError('not_found', 'This service sends no push messages.');
  if (!push.isAllowed(given.endpoint)) {
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
  const isChanged = await changePushes({ pushes, push, turns }, session, (all) => [
    ...all.filter(({ endpoint }) => endpoint !== given.endpoint).slice(1 - pushSubscriptionsMax),
    subscription,
  ]);
  if (!isChanged) throw sessionExpired();
  return subscription;
}

/** Reports whether there was one. Where push is off, no notification is sent to any. */
export async function unsubscribePush(
  { pushes, push, turns }: PushDeps,
  { session }: LiveSession,
  id: string,
): Promise<boolean> {
  return push !== undefined && (await dropPush({ pushes, push, turns }, session, id));
}

/** Returns the oldest first; none for a session that has ended. */
export async function listPushes(
  { pushes, push }: Omit<SealedPushDeps, 'turns'>,
  session: Session,
): Promise<readonly PushSubscription[]> {
  return open(push, session, await pushes.read(session.key));
}

/** Removes a subscription that is no longer valid. Reports whether there was one. */
export function dropPush(deps: SealedPushDeps, session: Session, id: string): Promise<boolean> {
  return changePushes(deps, session, (all) => all.filter((one) => one.id !== id));
}

/** Resolves with false when nothing changed, as for a session that has ended. */
async function changePushes(
  { pushes, push, turns }: SealedPushDeps,
  session: Session,
  change: (current: readonly PushSubscription[]) => readonly PushSubscription[],
): Promise<boolean> {
  const outcome = await changeSessionText({ turns }, { texts: pushes, session }, (before) => {
    const current = open(push, session, before);
    const changed = change(current);
    if (changed.length === current.length && changed.every((one) => current.includes(one))) return undefined;
    return changed.length === 0 ? null : seal(push, session, changed);
  });
  return outcome === 'changed';
}

type Sealing = Pick<PushOffer, 'serverKey'>;

function seal({ serverKey }: Sealing, { key }: Session, all: readonly PushSubscription[]): string {
  const sealingKey = deriveServerKey(serverKey, 'push', key);
  return sealBytes(sealingKey, 'push', Buffer.from(JSON.stringify(all))).toString('base64');
}

function open({ serverKey }: Sealing, { key }: Session, text: string | null): readonly PushSubscription[] {
  if (text === null) return [];
  const opened = tryOpenSealed(deriveServerKey(serverKey, 'push', key), 'push', Buffer.from(text, 'base64'));
  // Those that were sealed under an earlier server.key are as good as gone; the next one replaces them.
  return opened ? (JSON.parse(opened.toString()) as PushSubscription[]) : [];
}
