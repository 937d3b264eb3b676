// Builds the parts that deliver news: the bus, the readers that wait on it, and webhooks. Part of the composition
// root.

import { createSafeFetch } from '#networks/safe-fetch';
import type { Logger } from '#telemetry/logger';
import type { Config } from '#config/settings';
import type { SessionKey } from '../domain/session.ts';
import { createSessionBus } from '../events/session-bus.ts';
import type { Metrics } from '../observe/metrics.ts';
import { createLiveReaders, type LiveReaders } from '../service/live/live-readers.ts';
import {
  createSessionWebhooks,
  openWebhookTarget,
  type SessionWebhooks,
} from '../service/addresses/session-webhooks.ts';
import type { Services } from '../service/services.ts';
import type { DueWebhook, JobsStore, OutboxSettings } from '../store/jobs-store.ts';
import { createDispatcher, type Dispatcher } from '../webhooks/create-dispatcher.ts';
import type { WebhookEndpoint } from '#notifications/send-webhook';
import { noContents, type WebhookContents } from '../webhooks/webhook-contents.ts';
import { toWebhookSpan } from '../webhooks/deliver-webhook.ts';
import { createOperatorFetch } from './operator-fetch.ts';

export interface Live {
  /** Called by the store when a session's log has grown. */
  readonly onNews: (key: SessionKey) => void;
  /** Called when news of other nodes may have been missed. */
  readonly onGap: () => void;
  readonly readers: LiveReaders;
  /** Undefined unless the operator lets sessions set a URL. */
  sessionWebhooks(jobs: JobsStore, serverKey: Uint8Array): SessionWebhooks | undefined;
  startWebhooks(parts: WebhookParts): void;
  /** Ends streams and waits at once; resolves when the webhooks in progress are done. */
  close(): Promise<void>;
}

export interface WebhookParts {
  readonly jobs: JobsStore;
  /** The store's clock, ms since 1970. */
  readonly now: () => number;
  readonly services: Services;
  /** 32 bytes. */
  readonly serverKey: Uint8Array;
  /** Undefined where webhooks are off. */
  readonly contents: WebhookContents | undefined;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export function toOutboxSettings({ webhooks }: Config): OutboxSettings {
  return {
    operator: webhooks.url !== '',
    sessions: webhooks.sessions === 'on',
    rowsPerEndpoint: webhooks.queuePerEndpointMax,
  };
}

export function createLive(config: Config): Live {
  const bus = createSessionBus();
  const isLimited = config.limits.rate === 'on';
  const readers = createLiveReaders(bus, {
    streamsPerSession: isLimited ? config.live.streamsPerSessionMax : Infinity,
    waitsPerSession: isLimited ? config.live.waitsPerSessionMax : Infinity,
    streamsPerAddress: isLimited ? config.live.streamsPerAddressMax : Infinity,
    waitsPerAddress: isLimited ? config.live.waitsPerAddressMax : Infinity,
    readersMax: config.live.readersMax,
  });
  const { operator, sessions } = toOutboxSettings(config);
  let dispatcher: Dispatcher | undefined;
  return {
    onNews: (key) => {
      bus.wake(key);
      dispatcher?.wake();
    },
    onGap: () => {
      bus.wakeAll();
      dispatcher?.wake();
    },
    readers,
    sessionWebhooks: (jobs, serverKey) => {
      if (!sessions) return undefined;
      const { schemes, ports, endpointsPerHostMax } = config.webhooks;
      return createSessionWebhooks({
        jobs,
        serverKey,
        schemes,
        ports,
        endpointsPerHost: endpointsPerHostMax,
      });
    },
    startWebhooks: ({ jobs, now, services, serverKey, contents, log, metrics }) => {
      const endpointOf = createEndpoints(config, serverKey);
      const content = { services, contents: contents ?? noContents };
      dispatcher = createDispatcher({
        jobs,
        now,
        content,
        endpointOf,
        log,
        serves: { operator, sessions },
        deadPerEndpoint: config.webhooks.queuePerEndpointMax,
        onTry: (tried) => {
          metrics.webhookTries.of(tried.outcome.outcome).value += 1;
          metrics.traces?.record(toWebhookSpan(tried));
        },
      });
    },
    close: async () => {
      readers.close();
      await dispatcher?.close();
      bus.close();
    },
  };
}

function createEndpoints(
  config: Config,
  serverKey: Uint8Array,
): (due: Pick<DueWebhook, 'key' | 'sealed'>) => WebhookEndpoint | undefined {
  const { schemes, ports, allowedHosts } = config.webhooks;
  const toStrangers = createSafeFetch({ schemes, ports, allow: allowedHosts });
  const operators = createOperatorEndpoint(config);
  return ({ key, sealed }) => {
    // The dispatcher leases only rows of endpoints that this node serves.
    if (sealed === null) {
      if (operators) return operators;
      throw new Error('MAYFLY_WEBHOOKS_URL is not set.');
    }
    const target = openWebhookTarget(serverKey, key, sealed);
    return target && { url: target.url, secrets: [target.secret], fetch: toStrangers };
  };
}

function createOperatorEndpoint({ webhooks }: Config): WebhookEndpoint | undefined {
  const { url, secret: secrets, format, payload } = webhooks;
  if (url === '') return undefined;
  const fetch = createOperatorFetch(url);
  if (format === 'standard') return { url, secrets, fetch };
  const chat = { format, url, showsText: payload === 'full' };
  const toChat: WebhookEndpoint['toChat'] = async (event) =>
    (await import('#notifications/to-chat')).toChat(event, chat);
  return { url, secrets, fetch, toChat };
}
