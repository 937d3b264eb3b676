// A real HTTP listener on a free port over a SQLite store in a temporary folder, with the real services. Parsing runs
// in this thread. Each test owns its server.

import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { onTestFinished } from 'vitest';

import type { Logger } from '#telemetry/logger';
import type { HttpTimeouts } from '#http-parts/server-limits';
import type { RawMessage } from '../../src/domain/message.ts';
import type { Session } from '../../src/domain/session.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server/create-http-server.ts';
import type { HttpServerOptions, HttpSettings } from '../../src/http/server/http-server-options.ts';
import type { InboundDoor } from '../../src/http/server/inbound-route.ts';
import { createOperations } from '../../src/http/operations/create-operations.ts';
import type { Health } from '../../src/http/operation.ts';
import type { WebApp } from '#web-pages/load-web-app';
import type { Metrics } from '../../src/observe/metrics.ts';
import type { Receiving, Services } from '../../src/service/services.ts';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import {
  createTestAccess,
  type TestAccess,
  type TestAccessOptions,
} from '../support/service/access-fixture.ts';
import {
  bindTestServices,
  createListeners,
  createTestDeps,
  type TestDeps,
  testLimits,
} from '../support/service/test-deps.ts';
import { openAccess } from '../support/service/open-access.ts';
import type { OpenSession } from '../../src/service/session/session-access.ts';
import { storeDefaults } from '../support/service/store-defaults.ts';

/** The operations the harness serves. */
export const allOperations = createOperations(testLimits);
export const operationsWithPush = createOperations(testLimits, true);

export interface Harness {
  readonly server: HttpServer;
  readonly origin: string;
  readonly port: number;
  readonly store: SqliteStore;
  readonly services: Services;
  readonly receiving: Receiving;
  /** Applies only the rules the test requested. */
  readonly ruled: TestAccess;
  readonly log: Logger;
  readonly logged: { level: string; event: string; fields: object }[];
  /** Returns the number of open streams and waits. */
  countLive(): number;
  /** Ends them, the first step of a shutdown. */
  closeLive(): void;
  /** Returns the store's time. */
  now(): number;
  /** Moves the store's clock. */
  advance(ms: number): void;
  lend(prefix?: string): Promise<{ token: string; session: OpenSession }>;
  /** Stores a message in the sessions and returns its id in the first. */
  deliver(raw: string | Buffer, sessions: readonly Session[], rcptTo?: readonly string[]): Promise<number>;
}

export interface HarnessOptions {
  readonly settings?: Partial<HttpSettings>;
  readonly timeouts?: HttpTimeouts;
  readonly health?: Health;
  readonly webApp?: WebApp;
  readonly https?: HttpServerOptions['https'];
  readonly mtaSts?: HttpServerOptions['mtaSts'];
  readonly wrapDeps?: (deps: TestDeps) => TestDeps;
  /** Without it everything is allowed. */
  readonly access?: TestAccessOptions;
  readonly metrics?: Metrics;
  /** Makes what takes mail handed over by HTTP. */
  readonly createInbound?: (parts: Pick<Harness, 'store' | 'receiving' | 'log' | 'now'>) => InboundDoor;
}

export async function startHttp(options: HarnessOptions = {}): Promise<Harness> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-http-'));
  const clock = { offset: 0 };
  const listeners = createListeners();
  const { live, onNews, onEnded } = listeners;
  const store = openSqliteStore({
    ...storeDefaults,
    file: path.join(folder, 'mayfly.db'),
    quota: { messages: 100, bytes: 50_000_000 },
    onBroken: (error) => {
      throw error;
    },
    clock: () => Date.now() + clock.offset,
    onNews,
    onEnded,
  });
  await store.directory.addDomain('mayfly.test', 0, 0);
  const realDeps = createTestDeps(store, listeners);
  const { services, receiving } = bindTestServices(options.wrapDeps?.(realDeps) ?? realDeps);
  const real = bindTestServices(realDeps);
  const { log, logged } = collectLog();
  const now = (): number => Date.now() + clock.offset;
  const ruled = await createTestAccess(store, options.access);
  const server = await createHttpServer({
    services,
    receiving,
    messageMaxBytes: 36 * 1024 * 1024,
    settings: {
      host: '127.0.0.1',
      port: 0,
      publicUrl: '',
      basePath: '',
      hosts: [],
      corsOrigins: [],
      bodyMaxBytes: 64 * 1024,
      ...options.settings,
    },
    log,
    health: options.health ?? { isReady: () => ({ ready: true }) },
    version: '0.0.0-test',
    smtp: { host: 'mx.mayfly.test', localHost: '127.0.0.1', port: 2525 },
    access: options.access ? ruled.access : openAccess,
    webApp: options.webApp ?? null,
    https: options.https,
    mtaSts: options.mtaSts,
    inbound: options.createInbound?.({ store, receiving, log, now }),
    ...(options.timeouts ? { timeouts: options.timeouts } : {}),
    ...(options.metrics ? { metrics: options.metrics } : {}),
  });
  onTestFinished(async () => {
    live.close();
    await server.close();
    await ruled.close();
    await store.mail.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { port } = server.address();
  return {
    server,
    origin: `http://127.0.0.1:${port}`,
    port,
    store,
    services,
    receiving,
    ruled,
    log,
    logged,
    countLive: () => live.count(),
    closeLive: () => {
      live.close();
    },
    now,
    advance: (ms) => {
      clock.offset += ms;
    },
    lend: (prefix) => real.services.createSession({ prefix }),
    deliver: async (raw, sessions, rcptTo = sessions.map(({ address }) => address)) => {
      const source = {
        protocol: 'ESMTP',
        remoteAddress: '192.0.2.7',
        helo: 'client.example',
        tls: null,
      } as const;
      const envelope = { mailFrom: 'sender@example.org', rcptTo };
      await real.receiving.receiveMessage({ envelope, source, raw: toRaw(raw) }, sessions);
      const [newest] = await store.mail.listMessages(sessions[0]!.key, { limit: 1, order: 'newest-first' });
      return newest!.id;
    },
  };
}

function toRaw(raw: string | Buffer): RawMessage {
  const bytes = Buffer.from(raw);
  return {
    sizeBytes: bytes.length,
    head: () => bytes.subarray(0, 64 * 1024),
    pieces: () => [bytes],
    release: () => undefined,
  };
}

function collectLog(): { log: Logger; logged: Harness['logged'] } {
  const logged: Harness['logged'] = [];
  const at =
    (level: string) =>
    (event: string, fields: object = {}): void => {
      logged.push({ level, event, fields });
    };
  return { logged, log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } };
}

/** Parsed JSON, whose type a test states by its expectations. */
export type Untyped = ReturnType<typeof JSON.parse>;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly bytes: Buffer;
  /** The parsed body; throws unless it is JSON. */
  readonly json: Untyped;
}

export interface HttpAsk {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
}

/** Sends one request on its own connection, unchanged: fetch would correct deliberate errors. */
export function ask(
  harness: { readonly port: number },
  target: string,
  how: HttpAsk = {},
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = how;
    const sent = httpRequest({
      host: '127.0.0.1',
      port: harness.port,
      path: target,
      method,
      headers,
      agent: false,
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const pieces: Buffer[] = [];
      // An event stream does not end: only its head counts here.
      if (response.headers['content-type']?.startsWith('text/event-stream')) response.destroy();
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('close', () => {
        const bytes = Buffer.concat(pieces);
        const text = bytes.toString();
        const { statusCode: status = 0, headers: got } = response;
        resolve({
          status,
          headers: got,
          text,
          bytes,
          get json() {
            return JSON.parse(text) as unknown;
          },
        });
      });
    });
    // Node sends the body of a DELETE without its length.
    if (body !== undefined && method === 'DELETE') sent.setHeader('content-length', Buffer.byteLength(body));
    sent.end(body);
  });
}

/** Sends a POST with a JSON body. */
export function postJson(
  harness: { readonly port: number },
  target: string,
  content: unknown,
): Promise<HttpAnswer> {
  const headers = { 'content-type': 'application/json' };
  return ask(harness, target, { method: 'POST', headers, body: JSON.stringify(content) });
}

/** Sends these bytes and resolves with all data received until the server closes. */
export function speak(harness: { readonly port: number }, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const socket = connect(harness.port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (piece) => pieces.push(piece));
    socket.on('error', reject);
    socket.on('close', () => {
      resolve(Buffer.concat(pieces).toString());
    });
  });
}

/** Parses the last response returned by `speak`. */
export function parseRawAnswer(text: string): { status: number; headers: string; json: Untyped } {
  const start = [...text.matchAll(/HTTP\/1\.1 \d{3} /g)].at(-1)?.index ?? 0;
  const [headers = '', body = ''] = text.slice(start).split('\r\n\r\n');
  return { status: Number(headers.slice(9, 12)), headers, json: JSON.parse(body) as unknown };
}
