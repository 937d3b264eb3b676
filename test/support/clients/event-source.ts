// A minimal client of event streams: parses them by the HTML standard (§9.2.6) and nothing more, so that tests see
// ids, retries and comments. Closed when the test ends.

import { type ClientRequest, type IncomingMessage, request } from 'node:http';

import { onTestFinished } from 'vitest';

export interface StreamedEvent {
  readonly id: string;
  readonly event: string;
  /** Its data, parsed as JSON. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StreamAsk {
  readonly token: string;
  readonly lastEventId?: string;
  /** Added to the query. */
  readonly query?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export class EventSourceClient {
  readonly response: IncomingMessage;
  readonly events: StreamedEvent[] = [];
  readonly comments: string[] = [];
  readonly retries: number[] = [];
  lastEventId = '';
  isOver = false;
  readonly #request: ClientRequest;
  #text = '';
  readonly #block: string[] = [];
  #wake = (): void => undefined;

  constructor(sent: ClientRequest, response: IncomingMessage) {
    this.#request = sent;
    this.response = response;
    this.lastEventId = response.headers['last-event-id']?.toString() ?? '';
    response.setEncoding('utf8').on('data', (text: string) => {
      this.#text += text;
      this.#takeLines();
      this.#wake();
    });
    const end = (): void => {
      this.isOver = true;
      this.#wake();
    };
    response.on('close', end).on('error', end);
  }

  /** Resolves when this many events have arrived; rejects if the stream ends earlier. */
  async take(count: number): Promise<StreamedEvent[]> {
    await this.until(() => this.events.length >= count);
    return this.events.slice(0, count);
  }

  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) {
      if (this.isOver) throw new Error(`The stream ended after ${JSON.stringify(this.events)}`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async ended(): Promise<void> {
    while (!this.isOver) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  close(): void {
    this.#request.destroy();
  }

  /** Comments and times to retry count at once, everything else at the end of its block. */
  #takeLines(): void {
    const lines = this.#text.split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith(':')) this.comments.push(line.slice(1));
      else if (line.startsWith('retry: ')) this.retries.push(Number(line.slice(7)));
      else if (line !== '') this.#block.push(line);
      else this.#takeBlock(this.#block.splice(0));
    }
  }

  /** @throws Error for a block without data, which httpx-sse and r3labs/sse take for an event */
  #takeBlock(lines: readonly string[]): void {
    let event = 'message';
    const data: string[] = [];
    for (const line of lines) {
      const colon = line.indexOf(':');
      const [name, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
      if (name === 'id') this.lastEventId = value;
      else if (name === 'event') event = value;
      else if (name === 'data') data.push(value);
    }
    if (data.length === 0) throw new Error(`A block without data: ${JSON.stringify(lines)}`);
    this.events.push({
      id: this.lastEventId,
      event,
      data: JSON.parse(data.join('\n')) as StreamedEvent['data'],
    });
  }
}

/** Resolves with the response's header, whatever its status. */
export function openStream(
  server: { readonly port: number },
  { token, lastEventId, query = '', path = '/events', headers = {} }: StreamAsk,
): Promise<EventSourceClient> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port: server.port,
      path: `${path}?${query}`,
      agent: false,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'text/event-stream',
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
        ...headers,
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      resolve(new EventSourceClient(sent, response));
    });
    sent.end();
    onTestFinished(() => {
      sent.destroy();
    });
  });
}
