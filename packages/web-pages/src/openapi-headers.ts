// Response header fields in OpenAPI's form.

const text = { type: 'string' };

/** Shared by answers, by their names in `components`. */
export const responseHeaders = {
  'X-Request-Id': { description: 'Identifies the request in the operator’s log.', schema: text },
  'WWW-Authenticate': { description: '`Bearer`.', schema: text },
  'Retry-After': {
    description: 'Seconds after which to retry.',
    schema: { type: 'integer', format: 'int32', minimum: 0 },
  },
  RateLimit: {
    description: 'What remains of the nearest limit, and the seconds until it is fully restored.',
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
