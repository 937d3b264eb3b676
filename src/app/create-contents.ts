// Builds the part that makes the contents of webhooks, on every node that receives mail, where webhooks are on. Part of
// the composition root.

import { createAllowedHosts } from '#networks/safe-fetch';
import type { Logger } from '#telemetry/logger';
import type { Config } from '#config/settings';
import type { Session, SessionKey } from '../domain/session.ts';
import { toFullWebhookMessage } from '../http/views/full-message.ts';
import { toMessageSummary } from '../http/views/message-summary.ts';
import { openWebhookTarget } from '../service/addresses/session-webhooks.ts';
import type { FreshMail } from '../service/mail/fresh-mail.ts';
import type { Services } from '../service/services.ts';
import type { Stores } from '../store/stores.ts';
import { createWebhookContents, type WebhookContents } from '../webhooks/webhook-contents.ts';
import { toOutboxSettings } from './create-live.ts';
import { isShared } from './open-store.ts';

export interface ContentParts {
  readonly config: Config;
  readonly store: Pick<Stores, 'jobs' | 'now'>;
  readonly services: Services;
  /** 32 bytes. */
  readonly serverKey: Uint8Array;
  readonly log: Logger;
}

/**
 * How long the content of an event may still come from another node. In a store of its own, what this process does not
 * have in hand was lost in a crash, but for the moment in which it is written.
 */
const patience = { sharedMs: 30_000, ownMs: 2000 } as const;

/** Returns undefined where webhooks are off. */
export function createContents(parts: ContentParts): WebhookContents | undefined {
  const { config, store, services, serverKey, log } = parts;
  const { operator, sessions } = toOutboxSettings(config);
  if (!operator && !sessions) return undefined;
  const { payload, format, allowedHosts } = config.webhooks;
  const { basePath } = config.http;
  const isFull = payload === 'full';
  // A chat message shows the link of a mail, which only the whole has.
  const isOperatorsFull = isFull || format !== 'standard';
  const isAllowed = createAllowedHosts(allowedHosts);
  const isAllowedTarget = (key: SessionKey, sealed: Uint8Array): boolean => {
    const target = openWebhookTarget(serverKey, key, sealed);
    return target !== undefined && isAllowed(new URL(target.url).hostname);
  };
  return createWebhookContents({
    jobs: store.jobs,
    now: store.now,
    log,
    serverKey,
    serves: { operator, sessions },
    hasFull: isFull || (operator && isOperatorsFull),
    patienceMs: isShared(config) ? patience.sharedMs : patience.ownMs,
    // Whole messages go to the operator's URL, and to those of sessions whose host the operator named.
    takesFull: (key, sealed) => (sealed === null ? isOperatorsFull : isFull && isAllowedTarget(key, sealed)),
    summarise: async (session: Session, fresh: FreshMail) =>
      toMessageSummary(await services.listFreshMail(session, fresh)),
    showFull: async (session: Session, fresh: FreshMail) =>
      toFullWebhookMessage(await services.readFreshMail(session, fresh), basePath),
  });
}
