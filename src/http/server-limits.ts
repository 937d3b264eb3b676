// Bounds of the HTTP listener against slow, huge and idle clients. A test may hand in shorter times.

export interface HttpTimeouts {
  /** For the header fields of a request. */
  readonly headersMs: number;
  /** For a whole request with its body. */
  readonly requestMs: number;
  /** Silence after which an idle connection is closed; above the usual 60 s of proxies, which must close first. */
  readonly keepAliveMs: number;
  /** Silence after which any connection is closed: above all one whose client does not read its answer. */
  readonly silenceMs: number;
  /** How often the first two are checked. */
  readonly checkMs: number;
}

export const defaultTimeouts: HttpTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  // Above the longest wait of an operation.
  silenceMs: 180_000,
  checkMs: 1000,
};

/** Request line and header fields together. */
export const headersMaxBytes = 16 * 1024;
