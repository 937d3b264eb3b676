// Cross-origin grants (Fetch Standard, CORS protocol): none unless the operator named origins. There are no cookies, so
// a foreign page gains nothing by calling; it merely cannot read the answer.

export interface CrossOrigin {
  /** Returns fields for the answer to a request from this origin; empty without a grant. */
  grant(origin: string | undefined): Readonly<Record<string, string>>;
  /** Returns fields for the answer to a preflight; undefined when it is not granted. */
  grantPreflight(origin: string | undefined, methods: string): Readonly<Record<string, string>> | undefined;
}

const allowedHeaders = 'authorization, content-type, x-api-key, if-none-match, last-event-id';
const exposedHeaders = 'ETag, Last-Event-ID, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy';
const preflightSeconds = 600;

/** `origins`: as browsers write them, or `*`. */
export function createCrossOrigin(origins: readonly string[]): CrossOrigin {
  const isAny = origins.includes('*');
  const allowed = new Set(origins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  const isGranted = (origin: string | undefined): origin is string =>
    origin !== undefined && (isAny || allowed.has(origin));
  // The answer depends on the Origin, so caches must know.
  const vary: Readonly<Record<string, string>> = origins.length === 0 ? {} : { vary: 'Origin' };

  function allow(origin: string): Record<string, string> {
    return { ...vary, 'access-control-allow-origin': isAny ? '*' : origin };
  }

  return {
    grant: (origin) =>
      isGranted(origin) ? { ...allow(origin), 'access-control-expose-headers': exposedHeaders } : vary,
    grantPreflight: (origin, methods) =>
      isGranted(origin)
        ? {
            ...allow(origin),
            'access-control-allow-methods': methods,
            'access-control-allow-headers': allowedHeaders,
            'access-control-max-age': String(preflightSeconds),
          }
        : undefined,
  };
}
