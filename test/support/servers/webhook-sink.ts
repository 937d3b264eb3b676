// A webhook endpoint for tests: records requests and responds as configured.

import type { IncomingMessage, ServerResponse } from 'node:http';

import { serveForTest } from './local-server.ts';

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
  const port = await serveForTest((request, response) => {
    void read(request).then((received) => {
      sink.received.push(received);
      sink.answer(received, response);
    });
  });
  const sink: WebhookSink = {
    port,
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
