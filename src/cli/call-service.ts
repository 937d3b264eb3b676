// Calls a command of the service running on the data folder, over HTTP on its socket.

import { type IncomingMessage, request as startRequest } from 'node:http';

import type { Given } from '#command-line/command';
import { codeOf } from '#system-errors/error-code';
import type { OperatorCommand } from '../operator/command.ts';
import { operatorSocketPath, otherVersion, unreadAnswer, userHeader } from '../operator/operator-socket.ts';
import { OperatorError } from '../service/operating/operator-error.ts';

/** More than the longest list, of all possible blocks with their notes. */
const answerMaxBytes = 64 * 1024 * 1024;

/**
 * Resolves with the command's answer; undefined when no service runs on the folder.
 * @throws OperatorError for a refusal, and when the service disconnects or its answer cannot be read
 */
export async function callService(
  dataDir: string,
  { method, path }: Pick<OperatorCommand, 'method' | 'path'>,
  given: Given,
  user = '',
): Promise<object | undefined> {
  const isPost = method === 'POST';
  const query = isPost ? '' : writeQuery(given);
  const target = query === '' ? path : `${path}?${query}`;
  const socketPath = operatorSocketPath(dataDir);
  try {
    const body = isPost ? JSON.stringify(given) : '';
    const response = await send({ socketPath, method, target, body, user });
    return readAnswer(response);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    if (code === 'ECONNRESET') {
      throw new OperatorError('The service closed the connection before it answered.');
    }
    // Such as the line of JSON that versions before HTTP answer.
    if (String(code).startsWith('HPE_')) throw new OperatorError(unreadAnswer);
    throw error;
  }
}

function writeQuery(given: Given): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) query.append(name, String(value));
  return query.toString();
}

interface Sent {
  readonly socketPath: string;
  readonly method: string;
  readonly target: string;
  readonly body: string;
  readonly user: string;
}

interface Received {
  readonly status: number;
  readonly text: string;
}

function send({ socketPath, method, target, body, user }: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const headers = {
      host: 'localhost',
      connection: 'close',
      'content-type': 'application/json',
      [userHeader]: encodeURIComponent(user),
    };
    const request = startRequest({ socketPath, method, path: target, headers, agent: false }, (response) => {
      readText(response).then((text) => {
        resolve({ status: response.statusCode ?? 0, text });
      }, reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > answerMaxBytes) throw new OperatorError('The answer of the service is too long.');
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Parses the answer. The service is trusted, but another program may be listening there. */
function readAnswer({ status, text }: Received): object {
  const answer = parseObject(text);
  const { status: outcome, code, message } = (answer ?? {}) as Readonly<Record<string, unknown>>;
  if (answer && status === 200 && outcome === 'success') return answer;
  if (code === 'not_found') throw new OperatorError(otherVersion);
  if (code === 'internal_error') throw new OperatorError('The service failed; its log says why.');
  throw new OperatorError(typeof message === 'string' ? message : unreadAnswer);
}

function parseObject(text: string): object | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
