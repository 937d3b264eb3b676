// One file of the page, ready to send: its bytes plain and compressed, with their header fields. Pure; made by
// load-web-app.ts, served by fixed-pages.ts.

import type { Answer } from './answer.ts';
import { type Coding, chooseCoding } from './choose-coding.ts';
import { matchesTag } from './entity-tag.ts';

export interface WebFile {
  readonly headers: Readonly<Record<string, string>>;
  /** Hash of the uncompressed bytes, without quotes. */
  readonly hash: string;
  readonly bodies: Readonly<Record<'identity', Buffer> & Partial<Record<Coding, Buffer>>>;
}

/** The header fields of a request that matter to a file. */
export interface FileRequest {
  readonly 'accept-encoding'?: string | string[] | undefined;
  readonly 'if-none-match'?: string | undefined;
}

/**
 * Answers 200, or 304 with the same fields, since those of a 304 replace those a browser has cached (RFC 9111 §3.2).
 */
export function answerWebFile(file: WebFile, request: FileRequest): Answer {
  const available = (['br', 'gzip'] as const).filter((coding) => file.bodies[coding] !== undefined);
  const coding = chooseCoding(String(request['accept-encoding'] ?? ''), available);
  // Each coding is a separate representation (RFC 9110 §8.8.3).
  const etag = coding === undefined ? `"${file.hash}"` : `"${file.hash}-${coding}"`;
  const headers: Record<string, string> = { ...file.headers, etag };
  if (available.length > 0) {
    headers['vary'] = [file.headers['vary'], 'Accept-Encoding'].filter(Boolean).join(', ');
  }
  if (coding !== undefined) headers['content-encoding'] = coding;
  if (matchesTag(request['if-none-match'], etag)) return { status: 304, headers, body: null };
  return { headers, body: file.bodies[coding ?? 'identity'] ?? file.bodies.identity };
}
