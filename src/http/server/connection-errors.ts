// Answers input that never became a request (rejected by Node's parser, headers too large, too slow) on the bare
// socket, in JSON like all other answers.

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { commonHeaders } from '#http-parts/answer';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { errorAnswer } from '../answers/error-answer.ts';
import { createRequestId } from '#http-parts/request-id';
import { codeOf } from '#system-errors/error-code';

function toError(code: unknown): MayflyError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new MayflyError('headers_too_large', 'Request line and header fields are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new MayflyError('request_timeout', 'The request did not arrive in time.');
    default:
      return new MayflyError('malformed_request', 'This is not an HTTP/1.1 request.');
  }
}

/** Sockets that were answered: further input is read and discarded. */
const answered = new WeakSet<Socket>();
/** How long a client that is still sending may take to read its answer; closing at once could lose it. */
const lingerMs = 1000;

/** Ends the connection in any case; `error` is from Node's `clientError`. Returns the status answered. */
export function answerOnSocket(error: Error, socket: Socket): number | undefined {
  if (answered.has(socket)) return undefined;
  const code = codeOf(error);
  // Another response must not follow one that has begun.
  if (code === 'ECONNRESET' || !socket.writable || hasBegunAnswer(socket)) {
    socket.destroy();
    return undefined;
  }
  return endWith(socket, toError(code));
}

/** Answers CONNECT, for which Node creates no response. Returns the status answered. */
export function refuseConnect(socket: Socket): number {
  const error = new MayflyError('method_not_allowed', 'CONNECT is not served: this is not a proxy.');
  return endWith(socket, error, { allow: 'GET, HEAD, POST, OPTIONS' });
}

/** Answers a refused connection before it has sent anything, and ends it. */
export function answerRefused(socket: Socket, error: MayflyError): void {
  endWith(socket, error);
}

function endWith(socket: Socket, error: MayflyError, more: Readonly<Record<string, string>> = {}): number {
  answered.add(socket);
  const requestId = createRequestId();
  const { status, headers, body } = errorAnswer(error, requestId);
  socket.end(formatAnswer(status, { ...headers, ...more, 'x-request-id': requestId }, body));
  // Discard further input: a socket is paused after CONNECT.
  socket.on('error', () => socket.destroy()).resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => {
    clearTimeout(timer);
  });
  return status;
}

function formatAnswer(status: number, headers: Readonly<Record<string, string>>, body: string): string {
  const fields = {
    ...commonHeaders,
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}

/** Node keeps the current response on the socket, and checks the same before its own answer. */
function hasBegunAnswer(socket: Socket): boolean {
  const { _httpMessage: message } = socket as Socket & { _httpMessage?: { headersSent?: boolean } | null };
  return message?.headersSent === true;
}
