// Requests that never became one: what Node's parser refuses, headers past their bound, requests that did not arrive
// in time. They are answered on the bare socket, in JSON as everything else.

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { MayflyError } from '../domain/mayfly-error.ts';
import { commonHeaders } from './answer.ts';
import { errorAnswer } from './error-answer.ts';
import { createRequestId } from './request-id.ts';

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

/** Sockets that have their answer: what else comes on them is read and thrown away. */
const answered = new WeakSet<Socket>();
/** So long a client may take to read its answer while it still sends; closing at once could lose it the answer. */
const lingerMs = 1000;

/** Ends the connection in any case; `error` is what Node emits as `clientError`. Returns the answered status. */
export function answerOnSocket(error: Error, socket: Socket): number | undefined {
  if (answered.has(socket)) return undefined;
  const code = 'code' in error ? error.code : undefined;
  // A response that has begun cannot be followed by another one.
  if (code === 'ECONNRESET' || !socket.writable || hasBegunAnswer(socket)) {
    socket.destroy();
    return undefined;
  }
  return endWith(socket, toError(code));
}

/** CONNECT, for which Node makes no response: it would just close. Returns the answered status. */
export function refuseConnect(socket: Socket): number {
  const error = new MayflyError('method_not_allowed', 'CONNECT is not served: this is not a proxy.');
  return endWith(socket, error, { allow: 'GET, HEAD, POST, OPTIONS' });
}

/** Answers a connection that is not wanted, before it has sent anything, and ends it. */
export function answerRefused(socket: Socket, error: MayflyError): void {
  endWith(socket, error);
}

function endWith(socket: Socket, error: MayflyError, more: Readonly<Record<string, string>> = {}): number {
  answered.add(socket);
  const requestId = createRequestId();
  const { status, headers, body } = errorAnswer(error, requestId);
  socket.end(formatAnswer(status, { ...headers, ...more, 'x-request-id': requestId }, body));
  // What else comes must not fill buffers: a socket is paused after CONNECT.
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

/** Node keeps the response in progress on the socket; it looks there too before it answers such an error itself. */
function hasBegunAnswer(socket: Socket): boolean {
  const { _httpMessage: message } = socket as Socket & { _httpMessage?: { headersSent?: boolean } | null };
  return message?.headersSent === true;
}
