// Starts the HTTP listener with the page. Part of the composition root.

import { fileURLToPath } from 'node:url';

import type { Logger } from '#telemetry/logger';
import type { Config } from '#config/settings';
import { version } from '../version.ts';
import type { Access } from '../../http/access/access.ts';
import { createHttpServer, type HttpServer } from '../../http/server/create-http-server.ts';
import type { HttpServerOptions, HttpSettings } from '../../http/server/http-server-options.ts';
import { loadWebApp, type WebApp } from '#web-pages/load-web-app';
import type { Metrics } from '../../observe/metrics.ts';
import type { InboundDoor } from '../../http/server/inbound-route.ts';
import type { SmtpAddress } from '../../http/operation.ts';
import type { HttpsParts } from '#certificates/encrypt-connection';
import type { PageVisits } from '../../service/operating/page-visits.ts';
import type { Receiving, Services } from '../../service/services.ts';
import { starting } from '../start-error.ts';

export interface HttpParts {
  readonly config: Config;
  readonly services: Services;
  readonly receiving: Receiving;
  readonly log: Logger;
  readonly health: HttpServerOptions['health'];
  readonly access: Access;
  readonly metrics: Metrics;
  readonly smtp: SmtpAddress;
  readonly visits: PageVisits;
  /** Undefined for plain HTTP. */
  readonly https: HttpsParts | undefined;
  readonly inbound: InboundDoor;
  /** Descriptor of a listening socket to take over. */
  readonly socket: number | undefined;
  /** Limited by the available file descriptors. */
  readonly connectionsMax: number;
}

/** @throws StartError */
export async function startHttp(parts: HttpParts): Promise<HttpServer> {
  const options = await toHttpOptions(parts);
  return starting('HTTP cannot listen', createHttpServer(options), 'MAYFLY_HTTP');
}

/** @throws StartError */
export async function toHttpOptions(parts: HttpParts): Promise<HttpServerOptions> {
  const webApp = await starting('The page cannot be read', readWebApp(parts.config));
  const { config, socket, connectionsMax, ...rest } = parts;
  const settings = toSettings(config, { socket, connectionsMax });
  const { mtaSts, hostname: exchange } = config.smtp;
  return {
    ...rest,
    webApp,
    settings,
    messageMaxBytes: config.smtp.messageMaxBytes,
    version,
    mtaSts: mtaSts === 'off' ? undefined : { mode: mtaSts, exchange },
  };
}

function toSettings(
  { http, limits }: Config,
  given: Pick<HttpParts, 'socket' | 'connectionsMax'>,
): HttpSettings {
  // MAYFLY_LIMITS_RATE=off lifts limits by address.
  const connectionsPerAddressMax = limits.rate === 'on' ? http.connectionsPerAddressMax : Infinity;
  return { ...http, ...given, connectionsPerAddressMax };
}

/** Reads the page, which the build places beside the folders of the service. */
async function readWebApp({ http: { webApp, publicUrl } }: Config): Promise<WebApp | null> {
  return webApp === 'on' ? loadWebApp(fileURLToPath(new URL('../../web', import.meta.url)), publicUrl) : null;
}
