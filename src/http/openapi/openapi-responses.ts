// Responses of an operation in OpenAPI's form: its success, and its errors by status, each with its codes.

import { type ErrorCode, errorCatalogue } from '../../domain/error-catalogue.ts';
import type { Operation } from '../operation.ts';
import { allParameters } from '../parameters/all-parameters.ts';
import { describeHeaders, referToHeaders } from './openapi-headers.ts';
import type { SchemaReferences } from './openapi-schemas.ts';

/** Returns every code the operation can fail with, including those of its kind, in the order of the catalogue. */
export function errorsOf(operation: Operation): ErrorCode[] {
  const table = Object.values(allParameters(operation));
  const codes = new Set<ErrorCode>([
    ...operation.errors,
    'malformed_request',
    'headers_too_large',
    'request_timeout',
    'wrong_host',
    'too_many_connections',
    'too_many_unread',
    'internal_error',
    'unavailable',
    ...(operation.method === 'POST'
      ? (['malformed_body', 'body_too_large', 'unsupported_media_type'] as const)
      : []),
    ...(table.length > 0 ? (['invalid_parameter', 'conflicting_parameters'] as const) : []),
    ...(table.some((parameter) => parameter.required) ? (['missing_parameter'] as const) : []),
    ...(operation.access === 'session'
      ? (['missing_token', 'unknown_token', 'session_expired', 'rate_limited'] as const)
      : []),
    ...(operation.access === 'session' && !operation.takesShare ? (['read_only'] as const) : []),
  ]);
  return (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => codes.has(code));
}

export function toResponses(operation: Operation, references: SchemaReferences): Record<string, object> {
  const responses: Record<string, object> = { 200: toSuccess(operation, references) };
  if (operation.requestHeaders !== undefined && 'If-None-Match' in operation.requestHeaders) {
    responses['304'] = { description: 'Nothing has changed since the given ETag.' };
  }
  const codes = errorsOf(operation);
  for (const status of new Set(codes.map((code) => errorCatalogue[code].http))) {
    responses[String(status)] = toFailure(status, codes);
  }
  return responses;
}

function toSuccess(operation: Operation, references: SchemaReferences): object {
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
function toFailure(status: number, all: readonly ErrorCode[]): object {
  const codes = all.filter((code) => errorCatalogue[code].http === status);
  const examples = codes.map((code) => [
    code,
    {
      summary: errorCatalogue[code].when,
      value: {
        status: 'error',
        code,
        message: `${errorCatalogue[code].when}.`,
        request_id: 'bAmXqzDW1gfNvEhs',
      },
    },
  ]);
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].when}.`).join('\n\n'),
    headers: referToHeaders(failureHeaders[status] ?? ['X-Request-Id']),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples) as object,
      },
    },
  };
}
