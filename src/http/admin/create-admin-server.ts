// Serves the operator's commands: on the operator's listener, along with its page and other pages for operators
// (`openPages`), on loopback by default; and on the socket in the data folder (serve-operator-socket.ts).

import { randomBytes } from 'node:crypto';

import { isLoopbackName } from '#http-parts/host-guard';
import type { LogFeed } from '#telemetry/log-feed';
import type { Logger } from '#telemetry/logger';
import type { Answer } from '#http-parts/answer';
import type { OperatorContext } from '../../operator/command.ts';
import { createListener, type HttpServer } from '../server/create-http-server.ts';
import { logStream } from '../../operator/log.ts';
import { adminOperations } from './admin-operations.ts';
import { RouteTable, toCall } from './route-table.ts';
import { type AdminGate, createAdminServing, requireScope } from './serve-admin.ts';
import { createLogStreams } from './stream-log.ts';

export interface AdminSettings {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** As for the main listener. */
  readonly hosts: readonly string[];
  /** The origin under which administrators reach the page, or ''. */
  readonly publicUrl: string;
}

export interface AdminServerOptions extends OperatorContext {
  readonly settings: AdminSettings;
  readonly gate: AdminGate;
  readonly log: Logger;
  readonly logFeed: LogFeed;
  /** The operator's page: answers by path. */
  readonly page: ReadonlyMap<string, Answer>;
  /** Pages without a key, such as metrics, by path. */
  readonly openPages?: ReadonlyMap<string, () => Answer | Promise<Answer>>;
}

const bodyMaxBytes = 64 * 1024;

/** Resolves when listening. @throws Error when it cannot listen on the address */
export async function createAdminServer(options: AdminServerOptions): Promise<HttpServer> {
  const { log, logFeed, health, gate, page, openPages } = options;
  const streams = createLogStreams(logFeed, randomBytes(6).toString('hex'));
  const settings = { ...options.settings, basePath: '', corsOrigins: [], bodyMaxBytes };
  const context: OperatorContext = {
    ...options,
    get pageOrigin() {
      return toPageOrigin(settings, listener.address().port);
    },
  };
  const listener: HttpServer = await createListener({ settings, log, health }, (server, sender) => {
    const routes = new RouteTable(server, sender);
    for (const operation of adminOperations) {
      const serve = createAdminServing(operation, context, gate);
      routes.add(operation.method, operation.path, (request, reply) => serve(toCall(request, reply)));
    }
    routes.add(logStream.method, logStream.path, async (request, reply) => {
      const call = toCall(request, reply);
      const isAllowed = await requireScope(logStream, { gate, context }, call);
      return streams.open({
        url: call.url,
        lastEventId: request.headers['last-event-id']?.toString(),
        isAllowed,
      });
    });
    for (const [path, answer] of page) routes.add('GET', path, () => answer);
    for (const [path, answer] of openPages ?? []) routes.add('GET', path, answer);
    return routes.paths;
  });
  return {
    ...listener,
    close: () => {
      // Nothing else would end them.
      streams.close();
      return listener.close();
    },
  };
}

/** Never from a request. On loopback the name of the machine itself, since passkeys are not bound to addresses. */
function toPageOrigin({ host, publicUrl }: AdminSettings, port: number): string | undefined {
  if (publicUrl !== '') return publicUrl;
  return isLoopbackName(host) ? `http://localhost:${port}` : undefined;
}
