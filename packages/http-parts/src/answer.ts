// The answer of an operation, independent of the framework, and the header fields common to all answers.

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** Bytes produced piece by piece; `open` is not called for HEAD. */
export interface StreamedBody {
  readonly sizeBytes: number;
  /** Set when all of it is in memory already. */
  readonly inMemory?: true;
  open(): Readable;
}

/** A body that is written as it is produced, without a known end. */
export interface LiveBody {
  /**
   * Not called for HEAD. The returned function receives the response once its header is written.
   */
  open(): (response: ServerResponse) => void;
  /** The function takes the connection over, and no header is written for it. */
  readonly takesOver?: true;
}

export interface Answer {
  /** 200 when absent. */
  readonly status?: number;
  /** In lower case; override the common ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is JSON unless `headers` says otherwise; null for no body (204, 304). */
  readonly body: string | Buffer | StreamedBody | LiveBody | null;
}

const jsonType = 'application/json; charset=utf-8';

/** For every answer. Mail and tokens must not be cached, and nothing may run or be framed as a page. */
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

/** The most written at once, to notice whether the client reads. */
const sliceBytes = 64 * 1024;

/** The memory that a streamed body of any size takes: one chunk of the store and the slices being written. */
const streamedBytes = 512 * 1024;

/** Produced only as fast as the client reads. */
export function toStreamedBody(body: {
  readonly sizeBytes: number;
  readonly pieces: AsyncIterable<Buffer>;
}): StreamedBody {
  return { sizeBytes: body.sizeBytes, open: () => Readable.from(inSlices(body.pieces)) };
}

async function* inSlices(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield* slicesOf(piece);
}

export function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
}

/** Streams a body that is too large to be written at once. */
export function toWritable(body: string | Buffer): string | Buffer | StreamedBody {
  // A character has at most three bytes, so most bodies need no exact count.
  if (body.length * (typeof body === 'string' ? 3 : 1) <= sliceBytes) return body;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return { sizeBytes: bytes.length, inMemory: true, open: () => Readable.from(slicesOf(bytes)) };
}

/** Returns the memory a body takes until it is read. A live one takes at most a page. */
export function heldBytes(body: Answer['body']): number {
  if (body === null || isLive(body)) return 0;
  if (!isStreamed(body)) return body.length;
  return body.inMemory ? body.sizeBytes : Math.min(body.sizeBytes, streamedBytes);
}

/**
 * Serialises to JSON with well-formed Unicode only: lone surrogates, which JSON.stringify writes as escapes that
 * strict parsers refuse, become U+FFFD.
 */
export function stringifyWellFormed(value: unknown): string {
  const json = JSON.stringify(value);
  // This escape comes from a lone surrogate or from text with these very characters, so only then look closer.
  return json.includes('\\ud') ? JSON.stringify(value, replaceLoneSurrogates) : json;
}

function replaceLoneSurrogates(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value;
}
