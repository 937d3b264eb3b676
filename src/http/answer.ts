// What an operation answers with, free of the framework, and the header fields that every answer carries.

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** Bytes made piece by piece; `open` is not called for HEAD. */
export interface StreamedBody {
  readonly sizeBytes: number;
  open(): Readable;
}

/** Written as it comes, with no end in sight. */
export interface LiveBody {
  /** Not called for HEAD. The returned function gets the response once its header is written. @throws MayflyError */
  open(): (response: ServerResponse) => void;
}

export interface Answer {
  /** 200 when absent. */
  readonly status?: number;
  /** On top of the common ones, lower case; they win. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is JSON unless `headers` says otherwise; null for none (204, 304). */
  readonly body: string | Buffer | StreamedBody | LiveBody | null;
}

const jsonType = 'application/json; charset=utf-8';

/** For every answer. Mail and tokens must not stay in a cache, and nothing of ours runs or is framed as a page. */
export const commonHeaders: Readonly<Record<string, string>> = {
  'content-type': jsonType,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export function isStreamed(body: Answer['body']): body is StreamedBody {
  return body !== null && typeof body === 'object' && 'sizeBytes' in body;
}

export function isLive(body: Answer['body']): body is LiveBody {
  return body !== null && typeof body === 'object' && 'open' in body && !('sizeBytes' in body);
}

/** Taken only as fast as the client reads. */
export function toStreamedBody(body: {
  readonly sizeBytes: number;
  readonly pieces: AsyncIterable<Buffer>;
}): StreamedBody {
  return { sizeBytes: body.sizeBytes, open: () => Readable.from(body.pieces) };
}

/** A successful answer with this content. */
export function jsonAnswer(content: object): Answer {
  return { body: toSuccessText(content) };
}

export function toSuccessText(content: object): string {
  return stringifyWellFormed({ status: 'success', ...content });
}

/**
 * JSON whose texts are all well-formed Unicode: a lone surrogate, which JSON.stringify writes as an escape that
 * strict readers refuse, becomes U+FFFD.
 */
export function stringifyWellFormed(value: unknown): string {
  const json = JSON.stringify(value);
  // Only a lone surrogate is escaped so, or a text that has these characters itself: then a second look decides.
  return json.includes('\\ud') ? JSON.stringify(value, replaceLoneSurrogates) : json;
}

function replaceLoneSurrogates(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value;
}
