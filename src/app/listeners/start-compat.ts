// Starts the listener for other services' dialects. Part of the composition root, called by start-listeners.ts.

import type { Logger } from '#telemetry/logger';
import type { CompatServerOptions } from '../../compat/create-compat-server.ts';
import type { EventTarget } from '../../compat/senders/events/sender-events.ts';
import type { Config } from '#config/settings';
import { version } from '../version.ts';
import type { Access } from '../../http/access/access.ts';
import type { HttpServer } from '../../http/server/create-http-server.ts';
import type { Health } from '../../http/operation.ts';
import type { Metrics } from '../../observe/metrics.ts';
import type { Receiving, Services } from '../../service/services.ts';
import type { LiveSession } from '../../service/session/session-access.ts';
import { createOperatorFetch } from '../operator-fetch.ts';

export interface CompatParts {
  readonly config: Config;
  readonly services: Services;
  readonly receiving: Receiving;
  readonly access: Access;
  readonly log: Logger;
  readonly health: Health;
  readonly metrics: Metrics;
  /** Limited by the available file descriptors. */
  readonly connectionsMax: number;
  /** The session for requests without credentials; they are required when absent. */
  readonly defaultSession: (() => Promise<LiveSession>) | undefined;
  readonly sessionByName: CompatServerOptions['sessionByName'];
  readonly own: CompatServerOptions['own'];
}

/** The most connections, whatever the main interface allows, since these clients are tests. */
export const compatConnectionsMax = 5000;

/** Resolves with undefined when it is off. @throws Error when it cannot listen on the address */
export async function startCompat(parts: CompatParts): Promise<HttpServer | undefined> {
  const { config, connectionsMax, ...rest } = parts;
  const { compat, http, limits, smtp } = config;
  const { port } = compat;
  if (port === 'off') return undefined;
  // Loaded only here, so that other starts read a tenth less code.
  const { createCompatServer } = await import('../../compat/create-compat-server.ts');
  const senderEvents = await createEvents(parts);
  const isLimited = limits.rate === 'on';
  const { unreadMaxBytes, trustedProxies, proxyHeader, publicUrl } = http;
  return createCompatServer({
    ...rest,
    version,
    senderEvents,
    messageMaxBytes: smtp.messageMaxBytes,
    settings: {
      host: compat.host,
      port,
      hosts: compat.hosts,
      publicUrl,
      connectionsMax,
      unreadMaxBytes,
      trustedProxies,
      proxyHeader,
      connectionsPerAddressMax: isLimited ? http.connectionsPerAddressMax : Infinity,
      requestsPerMinute: isLimited ? limits.compatRequestsPerMinute : Infinity,
    },
  });
}

/** Resolves with undefined when no URL is configured. */
async function createEvents({ config, log }: CompatParts): Promise<CompatServerOptions['senderEvents']> {
  const { compat, webhooks } = config;
  const [secret] = webhooks.secret;
  if (compat.senderEvents.length === 0 || secret === undefined) return undefined;
  const { createSenderEvents } = await import('../../compat/senders/events/sender-events.ts');
  const targets = new Map(compat.senderEvents.map(([name, text]) => [name, toTarget(text)] as const));
  return createSenderEvents({ targets, secret, log });
}

function toTarget(text: string): EventTarget {
  const url = new URL(text);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    url: url.href,
    authorization: pair === ':' ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`,
    fetch: createOperatorFetch(url.href),
  };
}
