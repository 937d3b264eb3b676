// Starts the listener for plain HTTP beside HTTPS. Loaded only with HTTPS. Part of the composition root.

import type { X509Certificate } from 'node:crypto';

import { isFor, readLeaf } from '#certificates/issued-certificate';
import type { Config } from '#config/settings';
import { createConnections } from '../../http/connections/create-connections.ts';
import type { HttpServer } from '../../http/server/create-http-server.ts';
import { createRedirectServer, type RedirectServer } from '#http-parts/redirect-server';
import type { Logger } from '#telemetry/logger';
import type { Metrics } from '../../observe/metrics.ts';
import type { TlsCertificate } from '#certificates/tls-certificate';
import type { Certificates } from '../certificates/open-certificates.ts';
import { starting } from '../start-error.ts';

export interface RedirectParts {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly certificates: Certificates;
  readonly http: HttpServer;
  /** Descriptor of a listening socket to take over. */
  readonly socket: number | undefined;
}

/** Resolves with undefined when it is off. @throws StartError */
export async function startRedirect(parts: RedirectParts): Promise<RedirectServer | undefined> {
  const { config, log, metrics, certificates, http, socket } = parts;
  const { host, redirectPort, publicUrl, connectionsPerAddressMax } = config.http;
  const { board, http: certificate } = certificates;
  if (!certificate || redirectPort === 'off') return undefined;
  return starting(
    'Plain HTTP, which redirects to HTTPS, cannot listen',
    createRedirectServer({
      settings: {
        host,
        port: redirectPort,
        socket,
        publicUrl,
        connectionsPerAddressMax: config.limits.rate === 'on' ? connectionsPerAddressMax : Infinity,
      },
      httpsPort: () => http.address().port,
      serves: createServes(certificate),
      answerHttp: async (token) => board?.answerHttp(token),
      connect: (options) => createConnections({ ...options, metrics, log }),
      onFault: (error) => {
        log.error('http.failed', { error });
      },
    }),
    'MAYFLY_HTTP_REDIRECT',
  );
}

/** Parses each certificate once: strangers cause a question with every request. */
function createServes(certificate: Pick<TlsCertificate, 'chainPem'>): (name: string) => boolean {
  let parsed: { readonly chainPem: string; readonly leaf: X509Certificate } | undefined;
  return (name) => {
    const { chainPem } = certificate;
    if (parsed?.chainPem !== chainPem) parsed = { chainPem, leaf: readLeaf(chainPem) };
    return isFor(parsed.leaf, name);
  };
}
