// Response header fields in OpenAPI's form.

const text = { type: 'string' };

/** Shared by answers, by their names in `components`. */
export const responseHeaders = {
  'X-Request-Id': { description: 'Under which the operator finds the request in the log.', schema: text },
  'WWW-Authenticate': { description: '`Bearer`.', schema: text },
  'Retry-After': {
    description: 'Seconds until asking again makes sense.',
    schema: { type: 'integer', format: 'int32', minimum: 0 },
  },
  RateLimit: {
    description: 'The rest of the nearest limit, and the seconds until it is restored in full.',
    schema: text,
  },
  'RateLimit-Policy': { description: 'The limits in force.', schema: text },
} as const;

type HeaderName = keyof typeof responseHeaders;

/** Returns the members of a response's `headers` as references to the shared ones. */
export function referToHeaders(names: readonly HeaderName[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Describes header fields of a single operation. */
export function describeHeaders(headers: Readonly<Record<string, string>> = {}): Record<string, object> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: text }]),
  );
}
