// What an operation answers with, free of the framework, and the header fields that every answer carries.

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** Bytes made piece by piece; `open` is not called for HEAD. */
export interface StreamedBody {
  readonly sizeBytes: number;
  /** All of it is there already. */
  readonly inMemory?: true;
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

export function isWhole(body: Answer['body']): body is string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body);
}

export function isLive(body: Answer['body']): body is LiveBody {
  return body !== null && typeof body === 'object' && 'open' in body && !('sizeBytes' in body);
}

/** Written at once at most, so that it shows whether the client takes what it is given. */
const sliceBytes = 64 * 1024;

/** Of a streamed body in memory at once, however large it is: a chunk of the store, and slices on their way. */
const streamedBytes = 512 * 1024;

/** Taken only as fast as the client reads. */
export function toStreamedBody(body: {
  readonly sizeBytes: number;
  readonly pieces: AsyncIterable<Buffer>;
}): StreamedBody {
  return { sizeBytes: body.sizeBytes, open: () => Readable.from(inSlices(body.pieces)) };
}

async function* inSlices(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield* slicesOf(piece);
}

function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
}

/** What is too large to be written at once is streamed. */
export function toWritable(body: string | Buffer): string | Buffer | StreamedBody {
  // A character is three bytes at most, which decides for most bodies.
  if (body.length * (typeof body === 'string' ? 3 : 1) <= sliceBytes) return body;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return { sizeBytes: bytes.length, inMemory: true, open: () => Readable.from(slicesOf(bytes)) };
}

/** What a body holds of memory until it is read. A live one holds a page at most. */
export function heldBytes(body: Answer['body']): number {
  if (body === null || isLive(body)) return 0;
  if (!isStreamed(body)) return body.length;
  return body.inMemory ? body.sizeBytes : Math.min(body.sizeBytes, streamedBytes);
}

/** A successful answer with this content. */
export function jsonAnswer(content: object): Answer {
  return { body: toSuccessText(content) };
}

function toSuccessText(content: object): string {
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
