// Builds Web Push from the configuration, where the operator has turned it on. Part of the composition root.

import type { Logger } from '#telemetry/logger';
import { createPushKey } from '#notifications/push-key';
import type { Config } from '#config/settings';
import { demoDomain } from '../domain/addresses/special-domain.ts';
import type { Session } from '../domain/session.ts';
import type { Metrics } from '../observe/metrics.ts';
import { loadPushKey } from '../secrets/load-push-key.ts';
import { dropPush, listPushes, type PushOffer } from '../service/addresses/push-subscriptions.ts';
import type { ServiceTurns } from '../service/session/service-turns.ts';
import type { Stores } from '../store/stores.ts';
import { createPushSender, type PushSender } from '#notifications/push-sender';
import { createPushHosts } from '#notifications/push-hosts';

export interface Push {
  readonly offer: PushOffer;
  readonly sender: PushSender<Session>;
}

export interface PushParts {
  readonly config: Config;
  readonly store: Pick<Stores, 'pushes' | 'now'>;
  readonly turns: ServiceTurns;
  /** 32 bytes. */
  readonly serverKey: Uint8Array;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** Returns undefined where it is off. @throws Error when there is no key */
export function createPush({ config, store, turns, serverKey, metrics, log }: PushParts): Push | undefined {
  const { push, general } = config;
  if (push.enabled === 'off') return undefined;
  const key = push.secret === '' ? loadPushKey(general.dataDir) : createPushKey(push.secret);
  const findFetch = createPushHosts(push.hosts);
  const offer = {
    publicKey: key.publicKey,
    isAllowed: (endpoint: string) => findFetch(endpoint) !== undefined,
    serverKey,
  };
  const deps = { pushes: store.pushes, push: offer, turns };
  return {
    offer,
    sender: createPushSender({
      signer: { key, findFetch, contact: contactOf(config), now: store.now },
      subscriptions: {
        list: (session: Session) => listPushes(deps, session),
        drop: (session: Session, id: string) => dropPush(deps, session, id),
      },
      log,
      onTry: (outcome) => {
        metrics.pushTries.of(outcome).value += 1;
      },
    }),
  };
}

/** Returns the contact, without which some push services accept nothing (RFC 8292 §2.1). */
function contactOf({ push, http, general }: Config): string {
  if (push.contact !== '') return push.contact;
  if (/^https:/i.test(http.publicUrl)) return http.publicUrl;
  return `mailto:postmaster@${general.domains[0] ?? demoDomain}`;
}
