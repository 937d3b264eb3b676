// The routes of a listener for operators: by path, with what each request carries. Used on the network and on the socket.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Answer } from '#http-parts/answer';
import type { CarriedPairs } from '#http-parts/body';
import { decodeText } from '#http-parts/urlencoded';
import type { Sender } from '../answers/send-answer.ts';
import { Caller, createCallerSource } from '../caller.ts';
import { userHeader } from '../../operator/operator-socket.ts';
import type { AdminCall } from './serve-admin.ts';

/** No proxies are trusted here: so a wrong key counts against the peer. */
const source = createCallerSource({});

export function toCall(request: FastifyRequest, reply: FastifyReply): AdminCall {
  return {
    url: request.raw.url ?? '',
    body: (request.body as CarriedPairs | undefined) ?? [],
    authorization: request.headers.authorization,
    caller: new Caller(request, reply, source),
    user: decodeText(request.headers[userHeader]?.toString() ?? ''),
  };
}

type Serve = (request: FastifyRequest, reply: FastifyReply) => Answer | Promise<Answer>;

export class RouteTable {
  /** Methods by path, as for an `Allow` field. */
  readonly paths = new Map<string, string>();
  readonly #server: FastifyInstance;
  readonly #sender: Sender;

  constructor(server: FastifyInstance, sender: Sender) {
    this.#server = server;
    this.#sender = sender;
  }

  add(method: 'GET' | 'POST', path: string, serve: Serve): void {
    const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      try {
        this.#sender.send(request, reply, await serve(request, reply));
      } catch (error) {
        this.#sender.sendError(request, reply, error);
      }
    };
    this.#server.route({
      method: methods,
      url: path,
      handler: (request, reply) => {
        void answer(request, reply);
      },
    });
    this.paths.set(path, [...methods, 'OPTIONS'].join(', '));
  }
}
