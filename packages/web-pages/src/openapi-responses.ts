// Responses of an operation in OpenAPI's form: its success, and its errors by status, each with its codes.

import type { DescribedInterface, DescribedOperation } from './described-interface.ts';
import { describeHeaders, referToHeaders } from './openapi-headers.ts';
import type { SchemaReferences } from './openapi-schemas.ts';

type Catalogue = DescribedInterface['errors'];

export function toResponses(
  operation: DescribedOperation,
  { references, errors }: { readonly references: SchemaReferences; readonly errors: Catalogue },
): Record<string, object> {
  const responses: Record<string, object> = { 200: toSuccess(operation, references) };
  if (operation.requestHeaders !== undefined && 'If-None-Match' in operation.requestHeaders) {
    responses['304'] = { description: 'Nothing has changed since the given ETag.' };
  }
  const statuses = new Set(operation.errors.map((code) => errors[code]?.http));
  for (const status of statuses) {
    if (status !== undefined) responses[String(status)] = toFailure(status, operation.errors, errors);
  }
  return responses;
}

function toSuccess(operation: DescribedOperation, references: SchemaReferences): object {
  const { answers, example, links } = operation;
  const headers = {
    ...referToHeaders(operation.access === 'session' ? ['X-Request-Id', ...rateHeaders] : ['X-Request-Id']),
    ...describeHeaders(operation.responseHeaders),
  };
  if (typeof answers === 'string') return { ...toRawSuccess(answers), headers };
  const schema = references.response(operation.name);
  return {
    description: 'Done.',
    headers,
    content: { 'application/json': { schema, ...(example ? { example } : {}) } },
    ...(links === undefined ? {} : { links }),
  };
}

function toRawSuccess(mediaType: string): object {
  if (mediaType === 'text/event-stream') {
    return { description: 'Events as they occur.', content: { [mediaType]: { schema: { type: 'string' } } } };
  }
  const isText = mediaType.startsWith('text/');
  const schema = { type: 'string', ...(isText ? {} : { format: 'binary' }) };
  return {
    description: isText ? 'The document.' : 'The bytes, to be saved.',
    content: { [mediaType]: { schema } },
  };
}

const rateHeaders = ['RateLimit', 'RateLimit-Policy'] as const;

const failureHeaders: Readonly<Record<number, Parameters<typeof referToHeaders>[0]>> = {
  401: ['X-Request-Id', 'WWW-Authenticate'],
  429: ['X-Request-Id', 'Retry-After', ...rateHeaders],
  503: ['X-Request-Id', 'Retry-After'],
};

/** One response for all codes of a status, with an example of each. */
function toFailure(status: number, all: readonly string[], errors: Catalogue): object {
  const codes = all.flatMap((code) =>
    errors[code]?.http === status ? [{ code, when: errors[code].when }] : [],
  );
  const examples = codes.map(({ code, when }) => [
    code,
    {
      summary: when,
      value: {
        status: 'error',
        code,
        message: `${when}.`,
        request_id: 'bAmXqzDW1gfNvEhs',
      },
    },
  ]);
  return {
    description: codes.map(({ code, when }) => `\`${code}\`: ${when}.`).join('\n\n'),
    headers: referToHeaders(failureHeaders[status] ?? ['X-Request-Id']),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples) as object,
      },
    },
  };
}
