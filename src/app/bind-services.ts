// Binds the use cases to the stores and parts of this process. Part of the composition root.

import type { NetworkLimiter } from '#networks/network-limiter';
import { createSafeFetch, type SafeFetchOptions } from '#networks/safe-fetch';
import type { Address } from '#mail-receiver/address';
import { createEventCount } from '#telemetry/sampled-log';
import type { Logger } from '#telemetry/logger';
import type { Config } from '#config/settings';
import type { Session } from '../domain/session.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { BlockList } from '../service/operating/block-list.ts';
import { createDeliveryLog, type DeliveryLog, type RefusedPeer } from '../service/records/delivery-log.ts';
import type { EarlyRefusals } from '../service/records/early-refusals.ts';
import type { LastMail } from '../service/records/last-mail.ts';
import type { GmailResult } from '../service/receiving/receive-gmail-message.ts';
import type { Received, RecentDeliveries } from '../service/records/recent-deliveries.ts';
import { createRefusedRecipients, type RefusedRecipients } from '../service/records/refused-recipients.ts';
import type { Delivered } from '../service/receiving/deliver-to-sessions.ts';
import { createRemoteImageFetcher } from '../service/mail/remote-image-fetcher.ts';
import { createReceiving, createServices, type Receiving, type Services } from '../service/services.ts';
import type { ServiceTurns } from '../service/session/service-turns.ts';
import type { Readers } from './create-readers.ts';
import { createContents } from './create-contents.ts';
import { createStanding, type DevParts, type Standing, toSessionLimits } from './create-standing.ts';
import { createPush, type Push } from './create-push.ts';
import type { WebhookContents } from '../webhooks/webhook-contents.ts';
import type { LiveStore } from './open-live-store.ts';
import { smtpHostname } from './listeners/start-smtp.ts';

/** For remote images, when the operator lets the service fetch them. */
const imageFetch: SafeFetchOptions = {
  schemes: ['https', 'http'],
  ports: [80, 443],
  allow: [],
  answerMaxBytes: 5 * 1024 * 1024,
};

export interface BoundParts {
  readonly config: Config;
  readonly store: LiveStore;
  readonly readers: Readers;
  readonly turns: ServiceTurns;
  readonly blocks: Pick<BlockList, 'isSenderBlocked'>;
  readonly lastMail: Pick<LastMail, 'note'>;
  readonly wrongCredentials: NetworkLimiter;
  readonly deliveries: RecentDeliveries;
  readonly earlyRefusals: Pick<EarlyRefusals, 'record'>;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** 32 bytes. */
  readonly serverKey: Uint8Array;
  /** Set for `mayfly dev`. */
  readonly dev: DevParts | undefined;
}

export function bindServices(parts: BoundParts): {
  readonly services: Services;
  readonly receiving: Receiving;
  readonly standing: Standing | undefined;
  readonly push: Push | undefined;
  readonly contents: WebhookContents | undefined;
} {
  const { config, store, readers, turns, blocks, lastMail, wrongCredentials, metrics } = parts;
  const { log, serverKey } = parts;
  const settings = {
    limits: toSessionLimits(config),
    masksGmailAccounts: config.gmail.maskAccounts === 'on',
    hostname: smtpHostname(config),
  };
  const live = store.live.readers;
  const deliveryLog = createDeliveryLog({
    mail: store.mail,
    attempts: store.attempts,
    onError: (error) => {
      log.error('delivery_log.not_kept', { error });
    },
  });
  const refusedRecipients = createRefusedRecipients({
    directory: store.directory,
    finder: store.finder,
    clock: store.now,
  });
  const { smtpFaults } = store;
  const push = createPush({ config, store, turns, serverKey, metrics, log });
  const standing = createStanding({ config, store, readers, dev: parts.dev });
  const sharedInbox = standing?.dev?.sharedInbox;
  const services = createServices(store, settings, {
    ...readers,
    ...store.caches,
    smtpFaults,
    deliveryLog,
    refusedRecipients,
    live,
    sharedInbox,
    turns,
    push: push?.offer,
    serverKey,
    webhooks: store.live.sessionWebhooks(store.jobs, serverKey),
    remoteImages:
      config.http.imageProxy === 'on' ? createRemoteImageFetcher(createSafeFetch(imageFetch)) : null,
    dotVariantKey: (email) => store.accounts.dotVariantKey(serverKey, email),
  });
  const contents = createContents({ config, store, services, serverKey, log });
  const receiving = createReceiving(store, settings, {
    ...readers,
    live,
    wrongCredentials,
    smtpFaults,
    sharedInbox,
    turns,
    ...tellOperator(parts, { deliveryLog, refusedRecipients }),
    captureByName: standing?.dev?.logIn,
    onDiscarded: createEventCount(log, 'mail.discarded'),
    onStored: (recipients) => {
      lastMail.note(recipients);
    },
    isSenderBlocked: (mailFrom) => blocks.isSenderBlocked(mailFrom),
    onGmailMessage: countGmail(metrics),
    onDelivered: tellOfMail({ earlyGlances: readers.earlyGlances, contents, push }),
  });
  return { services, standing, push, contents, receiving };
}

/** Passes on each stored message while its bytes are in hand. */
function tellOfMail({
  earlyGlances,
  contents,
  push,
}: {
  readonly earlyGlances: Readers['earlyGlances'];
  readonly contents: WebhookContents | undefined;
  readonly push: Push | undefined;
}) {
  return (session: Session, delivered: Delivered): void => {
    const { id, raw, hasGlance } = delivered;
    contents?.note(session, delivered);
    if (!hasGlance) earlyGlances.note(session.key, id, raw);
    push?.sender.note(session, id);
  };
}

/** Reports to the operator everything that is noted for a session. */
function tellOperator(
  { deliveries, earlyRefusals }: Pick<BoundParts, 'deliveries' | 'earlyRefusals'>,
  { deliveryLog, refusedRecipients }: { deliveryLog: DeliveryLog; refusedRecipients: RefusedRecipients },
) {
  return {
    deliveryLog: {
      ...deliveryLog,
      recordRefusal: (...refused: Parameters<DeliveryLog['recordRefusal']>) => {
        deliveryLog.recordRefusal(...refused);
        deliveries.recordRefusal(...refused);
      },
    },
    refusedRecipients: {
      ...refusedRecipients,
      note: (address: Address, reply: string, isForeign: boolean, peer: RefusedPeer) => {
        refusedRecipients.note(address, reply, isForeign);
        // Attempts to relay are counted by network; listing each would only be noise.
        if (isForeign) earlyRefusals.record({ stage: 'rcpt', cause: 'relay_denied', ...peer });
        else deliveries.recordUnknownRecipient(address, reply, peer);
      },
    },
    onReceived: (received: Received) => {
      deliveries.recordReceived(received);
    },
  };
}

function countGmail({ messages, messageBytes }: Metrics): (result: GmailResult) => void {
  return (result) => {
    const reason = result.outcome === 'stored' ? '' : result.reason;
    messages.of('imap', result.outcome, reason).value += 1;
    if (result.outcome === 'stored') messageBytes.of('imap').value += result.sizeBytes;
  };
}
