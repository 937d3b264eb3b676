// GET /api/events: Mailpit's WebSocket, which tells its clients of each change. They send nothing. It holds a place
// among the session's streams, and counts like one.

import { type WebSocket, WebSocketServer } from 'ws';

import { type LiveBody, stringifyWellFormed } from '#http-parts/answer';
import { isHandshake, takeHandshake } from '#http-parts/upgrades';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { describeFault } from '../../http/answers/error-answer.ts';
import type { LogEntry } from '../../service/search/read-log.ts';
import { type CompatContext, sessionRoute } from '../dialect.ts';
import { listAllMessages } from '../list-all.ts';
import { MailpitIds } from './ids.ts';
import { toSummaryView } from './mailpit-views.ts';
import { type OpenSession, stillOpen } from '../../service/session/session-access.ts';

type EventsContext = Pick<CompatContext, 'services' | 'version' | 'log'>;

const pingMs = 25_000;
/** Entries read at once. */
const pageEntries = 16;
/** Above it, a client does not read, and is cut off. */
const unreadMaxBytes = 1024 * 1024;
/** Clients send only pongs. */
const sockets = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: 1024,
});
const goingAway = 1001;
const policyViolation = 1008;

export const eventsRoute = sessionRoute(
  'GET /api/events',
  'Mailpit’s WebSocket: `new`, `update`, `delete`, `prune` and `stats`; counts among the session’s streams',
  (context, { live: { session }, request, caller }) => {
    if (!isHandshake(request)) {
      throw new MayflyError('invalid_parameter', 'This is a WebSocket: ask to upgrade the connection.');
    }
    context.services.expectMail(session);
    return { body: toSocketBody(context, session, caller.network) };
  },
);

function toSocketBody(context: EventsContext, session: OpenSession, network: string): LiveBody {
  return {
    takesOver: true,
    open: () => {
      const events = new MailpitEvents(context, session, network);
      return (response) => {
        const handshake = takeHandshake(response);
        if (!handshake) events.onClose();
        else {
          const { socket, head } = handshake;
          socket.once('close', () => {
            events.leave();
          });
          sockets.handleUpgrade(response.req, socket, head, (client) => {
            events.start(client);
          });
        }
      };
    },
  };
}

class MailpitEvents {
  readonly network: string;
  readonly leave: () => void;
  readonly #context: EventsContext;
  readonly #session: OpenSession;
  readonly #ids: MailpitIds;
  #position: number;
  #client: WebSocket | undefined;
  #isReading = false;
  #isWoken = true;

  /** @throws MayflyError too_many_streams, unavailable */
  constructor(context: EventsContext, session: OpenSession, network: string) {
    this.network = network;
    this.#context = context;
    this.#session = session;
    this.#ids = new MailpitIds(session);
    this.#position = session.seq;
    this.leave = context.services.enterLive('stream', session.key, this);
  }

  start(client: WebSocket): void {
    this.#client = client;
    const ping = setInterval(() => {
      client.ping();
    }, pingMs);
    client.on('close', () => {
      clearInterval(ping);
      this.#client = undefined;
      this.leave();
    });
    client.on('message', () => {
      client.close(policyViolation);
    });
    client.on('error', () => {
      client.terminate();
    });
    this.#begin(this.#sendStats());
  }

  onWake(): void {
    if (this.#context.services.isAtLogEnd(this.#session.key, this.#position)) return;
    this.#isWoken = true;
    if (!this.#isReading && this.#client) this.#begin(Promise.resolve());
  }

  onClose(): void {
    this.#client?.close(goingAway);
    this.leave();
  }

  #begin(before: Promise<void>): void {
    this.#isReading = true;
    before
      .then(() => this.#readOn())
      .catch((error: unknown) => {
        this.#context.log.error('http.stream_failed', { ...describeFault(error) });
        this.#client?.terminate();
      })
      .finally(() => {
        this.#isReading = false;
      });
  }

  async #readOn(): Promise<void> {
    const { services } = this.#context;
    while (this.#isWoken && this.#client) {
      this.#isWoken = false;
      const page = await services.readLog(this.#session, { after: this.#position, limit: pageEntries });
      this.#position = page.position;
      for (const entry of page.entries) await this.#sendEntry(entry);
      if (page.isEnded) {
        this.#client.close(goingAway);
        return;
      }
      if (page.entries.length > 0) await this.#sendStats();
      this.#isWoken ||= page.hasMore;
    }
  }

  async #sendEntry(entry: LogEntry): Promise<void> {
    switch (entry.kind) {
      case 'message.received':
        await this.#sendNew(entry.message.id);
        return;
      case 'message.read':
      case 'message.unread':
        this.#send('update', { ID: this.#ids.toId(entry.messageId), Read: entry.kind === 'message.read' });
        return;
      case 'message.deleted':
      case 'message.dropped':
        this.#send('delete', { ID: this.#ids.toId(entry.messageId) });
        return;
      case 'reset':
        this.#send('prune', null);
        return;
      default:
    }
  }

  async #sendNew(id: number): Promise<void> {
    const [head] = await this.#context.services.listHeads(this.#session, { before: id + 1, limit: 1 });
    if (head?.listed.id === id) this.#send('new', toSummaryView(head, this.#ids));
  }

  async #sendStats(): Promise<void> {
    const { services, version } = this.#context;
    const lookup = await services.findSession(this.#session.key);
    if (lookup.state !== 'live') return;
    const all = await listAllMessages(services, stillOpen(lookup.session, this.#session));
    const unread = all.filter(({ isRead }) => !isRead).length;
    this.#send('stats', { Total: all.length, Unread: unread, Version: version });
  }

  #send(type: string, data: object | null): void {
    const client = this.#client;
    if (client && client.bufferedAmount > unreadMaxBytes) client.terminate();
    else client?.send(stringifyWellFormed({ Type: type, Data: data }));
  }
}
