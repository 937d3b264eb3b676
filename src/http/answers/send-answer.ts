// Writes answers and errors to the response: the only place that sets header fields and logs failures.

import type { OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Logger } from '#telemetry/logger';
import {
  type Answer,
  commonHeaders,
  heldBytes,
  isLive,
  isStreamed,
  isWhole,
  type LiveBody,
  type StreamedBody,
  toWritable,
} from '#http-parts/answer';
import { isHandshake } from '#http-parts/upgrades';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { AnswerOwner, UnreadAnswers } from '../connections/unread-answers.ts';
import {
  describeFault,
  errorAnswer,
  type ErrorAnswer,
  internalError,
  shuttingDown,
  toMayflyError,
} from './error-answer.ts';
import type { Health } from '../operation.ts';

export interface Sender {
  /**
   * `owner`: the session and network whose share of unread answers it counts against. @throws MayflyError
   * too_many_unread, unavailable
   */
  send(request: FastifyRequest, reply: FastifyReply, answer: Answer, owner?: AnswerOwner): void;
  /** Accepts any error; one other than MayflyError is an error of our own and is logged. */
  sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): void;
}

export interface SenderOptions {
  readonly log: Logger;
  readonly health: Health;
  readonly isClosing: () => boolean;
  readonly unread: UnreadAnswers;
  /** Formats an error; in this interface's format when absent. */
  readonly toErrorAnswer?: ((error: MayflyError, request: FastifyRequest) => ErrorAnswer) | undefined;
  /** For every answer of the listener, besides the common ones. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Detaches the response from the framework, since it outlives the request by hours. */
function sendLive(reply: FastifyReply, body: LiveBody): void {
  const start = body.open();
  reply.hijack();
  if (body.takesOver !== true) {
    reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  }
  start(reply.raw);
}

const ownErrorAnswer: NonNullable<SenderOptions['toErrorAnswer']> = (error, request) =>
  errorAnswer(error, request.id);

export function createSender(options: SenderOptions): Sender {
  const { log, health, isClosing, unread, toErrorAnswer = ownErrorAnswer } = options;
  const always = { ...commonHeaders, ...options.headers };

  function send(request: FastifyRequest, reply: FastifyReply, answer: Answer, owner?: AnswerOwner): void {
    const { status = 200, headers } = answer;
    const body = isWhole(answer.body) ? toWritable(answer.body) : answer.body;
    if (owner && request.method !== 'HEAD') unread.hold(reply.raw, owner, heldBytes(body));
    // Fastify closes after an unparsable body; we read to its end and keep the connection.
    reply.removeHeader('connection');
    if (isClosing() || isHandshake(request.raw)) reply.header('connection', 'close');
    reply.code(status).headers(always).header('x-request-id', request.id);
    if (headers) reply.headers(headers);
    if (isLive(body)) {
      if (request.method === 'HEAD') reply.send();
      else sendLive(reply, body);
      return;
    }
    if (!isStreamed(body)) {
      if (body === null) reply.removeHeader('content-type');
      reply.send(body ?? undefined);
      return;
    }
    reply.header('content-length', String(body.sizeBytes));
    reply.send(request.method === 'HEAD' ? undefined : openStream(log, request, body));
  }

  function toPublic(request: FastifyRequest, error: unknown): MayflyError {
    const known = toMayflyError(error);
    if (known) return known;
    if (isClosing()) return shuttingDown();
    log.error('http.failed', {
      request_id: request.id,
      route: request.routeOptions.url,
      ...describeFault(error),
    });
    const state = health.isReady();
    return state.ready
      ? internalError()
      : new MayflyError('unavailable', 'The service is not available at the moment.');
  }

  function sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
    if (reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    // A stream may fail before its first byte, after these fields were set for an answer that is never sent.
    for (const name of ['content-length', 'content-disposition', 'etag']) reply.removeHeader(name);
    send(request, reply, toErrorAnswer(toPublic(request, error), request));
  }

  return { send, sendError };
}

function openStream(log: Logger, request: FastifyRequest, body: StreamedBody): Readable {
  const stream = body.open();
  stream.on('error', (error) => {
    // Fastify ends the connection: the client sees fewer bytes than Content-Length.
    if (error instanceof MayflyError) {
      log.info('http.broke_off', { request_id: request.id, code: error.code });
    } else log.warn('http.broke_off', { request_id: request.id, ...describeFault(error) });
  });
  return stream;
}
