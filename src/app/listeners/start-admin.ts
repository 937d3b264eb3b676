// Starts the listeners for the operator's commands: the operator's listener with its page and the metrics, and the
// socket in the data folder. Part of the composition root.

import { fileURLToPath } from 'node:url';

import type { LogFeed } from '#telemetry/log-feed';
import type { Logger } from '#telemetry/logger';
import type { Answer } from '#http-parts/answer';
import type { Config } from '#config/settings';
import { version } from '../version.ts';
import { serveOperatorSocket } from '../../http/admin/serve-operator-socket.ts';
import type { HttpServer } from '../../http/server/create-http-server.ts';
import type { Health } from '../../http/operation.ts';
import { type Metrics, metricsContentType, renderMetrics } from '../../observe/metrics.ts';
import type { Operating } from '../create-operating.ts';

export interface AdminParts {
  readonly config: Config;
  readonly operating: Operating;
  readonly log: Logger;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly logFeed: LogFeed;
  /** This process's number among several on one machine, from 0. */
  readonly place: number;
}

/** Resolves with undefined when it is off. */
export async function startAdmin(parts: AdminParts): Promise<HttpServer | undefined> {
  const { config, operating, log, health, metrics, place, logFeed } = parts;
  const { host, port, hosts, publicUrl } = config.admin;
  if (port === 'off') return undefined;
  const { operator, keyring, access } = operating;
  const [{ createAdminServer }, { loadAdminPage }] = await Promise.all([
    import('../../http/admin/create-admin-server.ts'),
    import('../../http/admin/admin-page.ts'),
  ]);
  return createAdminServer({
    // Each process has its own metrics and so its own port.
    settings: { host, port: port === 0 ? 0 : port + place, hosts, publicUrl },
    operator,
    gate: { keyring, access },
    // The build places it beside the folders of the service.
    page: loadAdminPage(fileURLToPath(new URL('../../web/admin', import.meta.url))),
    log,
    logFeed,
    health,
    version,
    openPages: new Map([['/metrics', () => toMetricsPage(metrics)]]),
  });
}

/** Resolves with undefined in all but the first of several processes over one folder, which has the socket. */
export async function startOperatorSocket(parts: AdminParts): Promise<HttpServer | undefined> {
  const { config, operating, log, health, place } = parts;
  if (place !== 0) return undefined;
  const { dataDir } = config.general;
  return serveOperatorSocket({ dataDir, operator: operating.operator, log, health, version });
}

/** Returns the page of metrics, whose labels have only fixed values: routes, outcomes, reasons. */
async function toMetricsPage(metrics: Metrics): Promise<Answer> {
  const headers = { 'content-type': metricsContentType };
  return { headers, body: await renderMetrics(metrics) };
}
