// A minimal HTTP/1.1 client for one kept connection: requests are complete texts, answers are delimited by
// Content-Length. Used by http-driver.ts, and by measurements to create sessions and read counts.
import { openReplySocket } from './reply-socket.ts';

export interface HttpAnswer {
  readonly status: number;
  /** Status line and fields, unparsed. */
  readonly head: string;
  /** Bytes as Latin-1. */
  readonly body: string;
}

export interface HttpClient {
  /** Sends one request and waits for its answer. @throws Error when the connection fails */
  exchange(request: string): Promise<HttpAnswer>;
  close(): void;
}

/** Formats a request without a body for a kept connection; `given` is a session's token or an API key. */
export function formatRequest(
  method: 'GET' | 'POST',
  path: string,
  given?: string | { key: string | undefined },
): string {
  const length = method === 'POST' ? 'Content-Length: 0\r\n' : '';
  const token = typeof given === 'string' ? `Authorization: Bearer ${given}\r\n` : '';
  const key = typeof given === 'object' && given.key !== undefined ? `X-Api-Key: ${given.key}\r\n` : '';
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${token}${key}${length}\r\n`;
}

export function openHttpClient(port: number, isSecure = false): HttpClient {
  const socket = openReplySocket(port, findAnswerEnd, isSecure);
  return {
    async exchange(request) {
      const text = await socket.exchange(request);
      const headEnd = text.indexOf('\r\n\r\n');
      return {
        status: Number(text.slice(9, 12)),
        head: text.slice(0, headEnd),
        body: text.slice(headEnd + 4),
      };
    },
    close: () => {
      socket.close();
    },
  };
}

function findAnswerEnd(text: string): number | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd))?.[1];
  if (length === undefined) throw new Error(`An answer without Content-Length: ${text.slice(0, headEnd)}`);
  const end = headEnd + 4 + Number(length);
  return text.length >= end ? end : undefined;
}
