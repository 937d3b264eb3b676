// Starts the listeners: the operator's socket, SMTP, HTTP, the dialects and the operator's listener. Part of the
// composition root.

import { setTimeout as delay } from 'node:timers/promises';

import type { LogFeed } from '#telemetry/log-feed';
import type { Logger } from '#telemetry/logger';
import type { Vitals } from '#telemetry/vitals';
import type { InheritedSockets } from '#config/inherited-sockets';
import type { Config } from '#config/settings';
import type { Role } from '#config/store-settings';
import type { HttpServer } from '../../http/server/create-http-server.ts';
import type { Health } from '../../http/operation.ts';
import type { RedirectServer } from '#http-parts/redirect-server';
import type { Metrics } from '../../observe/metrics.ts';
import type { Receiving, Services } from '../../service/services.ts';
import type { SmtpListener } from '#smtp-listener/listen';
import type { Operating } from '../create-operating.ts';
import type { Certificates } from '../certificates/open-certificates.ts';
import type { Standing } from '../create-standing.ts';
import { startInbound } from './start-inbound.ts';
import type { LiveStore } from '../open-live-store.ts';
import { readDescriptorLimit, shareDescriptors, type Wanted } from './share-descriptors.ts';
import { startAdmin, startOperatorSocket } from './start-admin.ts';
import { compatConnectionsMax, startCompat } from './start-compat.ts';
import { starting } from '../start-error.ts';
import { startHttp, toHttpOptions } from './start-http.ts';
import { smtpAddressOf, startSmtp } from './start-smtp.ts';

const httpGraceMs = 10_000;
const smtpGraceMs = 30_000;

export interface ListenerParts {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly has: (role: Role) => boolean;
  readonly store: LiveStore;
  readonly services: Services;
  readonly receiving: Receiving;
  readonly standing: Standing | undefined;
  /** 32 bytes. */
  readonly serverKey: Uint8Array;
  readonly vitals: Vitals;
  readonly operating: Operating;
  readonly health: Health;
  readonly sockets: InheritedSockets;
  readonly certificates: Certificates;
  readonly logFeed: LogFeed;
  /**
   * The number of this process. Of several over one folder, only the first, 0, has the operator's socket; each has an
   * operator's listener.
   */
  readonly place: number;
}

/** The listeners, each undefined if it is off or the node does not have its role. */
export interface Listeners {
  readonly smtp: SmtpListener | undefined;
  readonly http: HttpServer | undefined;
  readonly admin: HttpServer | undefined;
  readonly compat: HttpServer | undefined;
  /** Plain HTTP beside HTTPS. */
  readonly redirect: RedirectServer | undefined;
  close(): Promise<void>;
}

/** @throws StartError */
export async function startListeners(parts: ListenerParts): Promise<Listeners> {
  const { config, log, metrics, has, store, vitals, operating, health, sockets, place, certificates } = parts;
  const operator = { config, operating, log, health, metrics, place, logFeed: parts.logFeed };
  const control = await starting('The control socket cannot be opened', startOperatorSocket(operator));
  const { access, blocks } = operating;
  const wanted = wantedConnections(config, has);
  const descriptors = readDescriptorLimit();
  const connections = divideHttp(config, shareDescriptors(wanted, descriptors));
  const common = { config, log, metrics };
  const smtp = has('smtp')
    ? await starting(
        'SMTP cannot listen',
        startSmtp({
          ...common,
          receiving: parts.receiving,
          incoming: store.incoming,
          vitals,
          blocks,
          earlyRefusals: operating.earlyRefusals,
          socket: sockets.smtp,
          connectionsMax: connections.smtp,
          tls: certificates.smtp,
        }),
        'MAYFLY_SMTP',
      )
    : undefined;
  const ofHttp = {
    ...common,
    services: parts.services,
    receiving: parts.receiving,
    health,
    access,
    visits: operating.visits,
    smtp: smtpAddressOf(config, smtp?.address),
    socket: sockets.http,
    connectionsMax: connections.http,
    inbound: startInbound({ ...parts, blocks }),
    https: certificates.http && {
      certificate: certificates.http,
      answerTls: (name: string) => certificates.board?.answerTls(name),
    },
  };
  const { standing } = parts;
  // `mayfly dev` has everything on one port.
  const own = standing?.dev && { http: await toHttpOptions(ofHttp), home: standing.dev.home };
  const http = has('http') && !own ? await startHttp(ofHttp) : undefined;
  const redirect =
    http && certificates.http
      ? await (
          await import('./start-redirect.ts')
        ).startRedirect({ ...common, certificates, http, socket: sockets.redirect })
      : undefined;
  const compat = has('http')
    ? await starting(
        own ? 'HTTP cannot listen' : 'The listener for dialects cannot listen',
        startCompat({
          ...common,
          services: parts.services,
          receiving: parts.receiving,
          health,
          access,
          own,
          defaultSession: standing?.defaultSession,
          sessionByName: standing?.dev?.sessionOf,
          connectionsMax: connections.compat,
        }),
        own ? 'MAYFLY_HTTP' : 'MAYFLY_COMPAT',
      )
    : undefined;
  const admin = await starting('The operator’s listener cannot listen', startAdmin(operator), 'MAYFLY_ADMIN');
  // After listening, so that a refused start prints only its reason.
  logIfFew(log, descriptors, connections, wanted);
  return {
    smtp,
    http,
    admin,
    compat,
    redirect,
    close: async () => {
      await Promise.all([
        Promise.race([http?.close(), delay(httpGraceMs, undefined, { ref: false })]),
        Promise.race([redirect?.close(), delay(httpGraceMs, undefined, { ref: false })]),
        Promise.race([compat?.close(), delay(httpGraceMs, undefined, { ref: false })]),
        smtp?.close(smtpGraceMs),
        control?.close(),
        Promise.race([admin?.close(), delay(httpGraceMs, undefined, { ref: false })]),
      ]);
    },
  };
}

function logIfFew(
  log: Logger,
  limit: number,
  { http, compat, smtp }: Wanted & { readonly compat: number },
  wanted: Wanted,
): void {
  if (http + compat >= wanted.http && smtp >= wanted.smtp) return;
  log.info('descriptors.few', { limit, httpConnections: http, smtpConnections: smtp });
}

function wantedConnections(config: Config, has: (role: Role) => boolean): Wanted {
  return {
    http: has('http') ? config.http.connectionsMax + wantedByCompat(config) : 0,
    smtp: has('smtp') ? config.smtp.connectionsMax : 0,
  };
}

function wantedByCompat({ compat, http }: Config): number {
  return compat.port === 'off' ? 0 : Math.min(compatConnectionsMax, http.connectionsMax);
}

/** Divides the connections for HTTP; if there are too few for both, the listener for dialects gets a fifth. */
function divideHttp(config: Config, { http, smtp }: Wanted): Wanted & { readonly compat: number } {
  const wanted = wantedByCompat(config);
  const { connectionsMax } = config.http;
  if (http >= connectionsMax + wanted) return { http: connectionsMax, compat: wanted, smtp };
  const compat = Math.min(wanted, Math.floor(http / 5));
  return { http: http - compat, compat, smtp };
}
