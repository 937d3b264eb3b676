// Limits of the HTTP listener against slow, huge and idle clients. Tests may pass shorter times.

import type { Progress } from './connection.ts';

export interface HttpTimeouts {
  /** For the header fields of a request. */
  readonly headersMs: number;
  /** For a whole request with its body. */
  readonly requestMs: number;
  /**
   * Silence after which an idle connection is closed; longer than the usual 60 s of proxies, which must close first.
   */
  readonly keepAliveMs: number;
  /** Silence after which any connection is closed, mainly when the client does not read its answer. */
  readonly silenceMs: number;
  /** How often the first two are checked. */
  readonly checkMs: number;
  /** The part of a waiting answer that a client must read to keep its connection. */
  readonly progress?: Progress;
}

/** Slower than any connection used to read mail, and longer than a buffering proxy takes to read more. */
export const defaultProgress: Progress = { windowMs: 60_000, bytes: 16 * 1024 };

export const defaultTimeouts: HttpTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  // Longer than the longest wait of an operation.
  silenceMs: 180_000,
  checkMs: 1000,
};

/** Request line and header fields together. */
export const headersMaxBytes = 16 * 1024;
