// Sessions of clients with the protocol of 2025, which begin with `initialize`. A session belongs only to the caller
// that began it. Later protocols have no sessions: each request stands alone.

import { randomUUID } from 'node:crypto';

import { type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

import type { Caller } from './caller.ts';

const sessionsMax = 400;
const sessionsOfCallerMax = 20;
const idleMaxMs = 30 * 60_000;
const sweepMs = 60_000;

interface Session {
  readonly caller: Caller;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: McpServer;
  /** The last request but for the stream that a client keeps open, which says nothing of use. */
  lastUsedAt: number;
  /** Requests in progress, without that stream. */
  active: number;
}

export interface HttpSessionsOptions {
  readonly createServer: (caller: Caller) => McpServer;
  readonly bodyMaxBytes: number;
}

export class HttpSessions {
  readonly #options: HttpSessionsOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #sweeping: NodeJS.Timeout;

  constructor(options: HttpSessionsOptions) {
    this.#options = options;
    this.#sweeping = setInterval(() => void this.#dropIdle(performance.now() - idleMaxMs), sweepMs);
    this.#sweeping.unref();
  }

  /** Answers one request. `isOver` resolves when its answer has been sent or its connection closed. */
  async handle(request: Request, { caller, isOver }: Handling): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return this.#begin(request, caller);
    const session = this.#sessions.get(id);
    if (session?.caller !== caller) return refuse(404, 'Session not found.');
    if (request.method !== 'GET') {
      session.lastUsedAt = performance.now();
      session.active += 1;
      void isOver.then(() => {
        session.active -= 1;
        session.lastUsedAt = performance.now();
      });
    }
    return session.transport.handleRequest(request);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    await this.#dropIdle(Infinity);
  }

  async #begin(request: Request, caller: Caller): Promise<Response> {
    const own = [...this.#sessions.values()].filter((session) => session.caller === caller);
    if (own.length >= sessionsOfCallerMax) await this.#dropOldest(caller);
    if (this.#sessions.size >= sessionsMax) await this.#dropOldest(this.#largestCaller());
    const count = [...this.#sessions.values()].filter((session) => session.caller === caller).length;
    if (count >= sessionsOfCallerMax || this.#sessions.size >= sessionsMax) {
      return refuse(503, 'Too many sessions.');
    }
    const server = this.#options.createServer(caller);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: this.#options.bodyMaxBytes,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { caller, transport, server, lastUsedAt: performance.now(), active: 0 });
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
      },
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    // Any request but `initialize` has started nothing.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  /** The caller with the most sessions makes room, so that many callers cannot shut one out. */
  #largestCaller(): Caller | undefined {
    const counts = new Map<Caller, number>();
    for (const { caller } of this.#sessions.values()) counts.set(caller, (counts.get(caller) ?? 0) + 1);
    return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
  }

  /** Drops the longest unused of a caller's sessions, whose stream ends. */
  async #dropOldest(caller: Caller | undefined): Promise<void> {
    const [oldest] = [...this.#sessions]
      .filter(([, session]) => session.active === 0 && session.caller === caller)
      .sort(([, one], [, other]) => one.lastUsedAt - other.lastUsedAt);
    if (oldest) await this.#drop(oldest[0]);
  }

  async #dropIdle(before: number): Promise<void> {
    for (const [id, { lastUsedAt, active }] of this.#sessions) {
      if (lastUsedAt < before && (active === 0 || before === Infinity)) await this.#drop(id);
    }
  }

  async #drop(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.server.close();
  }
}

interface Handling {
  readonly caller: Caller;
  readonly isOver: Promise<void>;
}

export function refuse(status: number, message: string, headers: Record<string, string> = {}): Response {
  const body = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null };
  return Response.json(body, { status, headers });
}
