// A webhook endpoint for tests: records requests and responds as configured.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { onTestFinished } from 'vitest';

export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Byte for byte. */
  readonly body: string;
  readonly content: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

/** Responds to one request; by default with 204, or by echoing a challenge. */
export type SinkAnswer = (received: ReceivedWebhook, response: ServerResponse) => void;

const answerWell: SinkAnswer = ({ content }, response) => {
  if (content.type === 'webhook.challenge') response.end(String(content.data['challenge']));
  else response.writeHead(204).end();
};

export interface WebhookSink {
  readonly port: number;
  readonly received: ReceivedWebhook[];
  answer: SinkAnswer;
}

export async function startSink(): Promise<WebhookSink> {
  const server = createServer((request, response) => {
    void read(request).then((received) => {
      sink.received.push(received);
      sink.answer(received, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const sink: WebhookSink = {
    port: (server.address() as AddressInfo).port,
    received: [],
    answer: answerWell,
  };
  return sink;
}

async function read(request: IncomingMessage): Promise<ReceivedWebhook> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const body = Buffer.concat(pieces).toString();
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return { path: request.url ?? '', headers, body, content: JSON.parse(body) as ReceivedWebhook['content'] };
}
