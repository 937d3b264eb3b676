// The path at which other services hand over mail. Its bodies are not read here: src/inbound takes them as they arrive.

import type { IncomingMessage } from 'node:http';

import type { FastifyInstance } from 'fastify';

import type { Answer } from '#http-parts/answer';
import { Caller, type CallerSource } from '../caller.ts';
import type { Sender } from '../answers/send-answer.ts';

/** Takes one request; rejects as an operation does. */
export type InboundDoor = (call: {
  /** The route's name in the path, untrusted. */
  readonly route: string;
  readonly request: IncomingMessage;
  /** The client's. */
  readonly address: string;
}) => Promise<Answer>;

export interface InboundRouteParts {
  readonly door: InboundDoor;
  readonly source: CallerSource;
  readonly sender: Sender;
  readonly basePath: string;
  /** Receives the paths, each with its methods as for an `Allow` field. */
  readonly paths: Map<string, string>;
}

/** Mailgun posts whole messages only to URLs that end with `mime`. */
const inboundPaths = ['/inbound/:name', '/inbound/:name/mime'];

export function addInboundRoute(
  server: FastifyInstance,
  { door, source, sender, basePath, paths }: InboundRouteParts,
): void {
  const urls = inboundPaths.map((path) => basePath + path);
  for (const url of urls) paths.set(url, 'POST, OPTIONS');
  void server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, read) => {
      read(null);
    });
    for (const url of urls) {
      scope.post(url, (request, reply) => {
        const { name } = request.params as { readonly name: string };
        const caller = new Caller(request, reply, source);
        door({ route: name, request: request.raw, address: caller.address })
          .then((answer) => {
            sender.send(request, reply, answer);
          })
          .catch((error: unknown) => {
            sender.sendError(request, reply, error);
          });
      });
    }
    done();
  });
}
