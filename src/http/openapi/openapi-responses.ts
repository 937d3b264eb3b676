// What an operation can answer, in the words of OpenAPI: its success, and its errors by status, each with its codes.

import { type ErrorCode, errorCatalogue } from '../../domain/error-catalogue.ts';
import type { Operation } from '../operation.ts';
import { namedSchemas } from '../operations/schemas.ts';
import { allParameters } from '../serve-operation.ts';

/** Every code the operation can fail with, its own and those of its kind, in the order of the catalogue. */
export function errorsOf(operation: Operation): ErrorCode[] {
  const table = Object.values(allParameters(operation));
  const codes = new Set<ErrorCode>([
    ...operation.errors,
    'malformed_request',
    'headers_too_large',
    'request_timeout',
    'wrong_host',
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
  ]);
  return (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => codes.has(code));
}

export function toResponses(operation: Operation): Record<string, object> {
  const responses: Record<string, object> = { 200: toSuccess(operation) };
  if (operation.name === 'checkMail') {
    responses['304'] = { description: 'Nothing changed since the ETag given.' };
  }
  const codes = errorsOf(operation);
  for (const status of new Set(codes.map((code) => errorCatalogue[code].http))) {
    responses[String(status)] = toFailure(codes.filter((code) => errorCatalogue[code].http === status));
  }
  return responses;
}

function toSuccess({ answers, links }: Operation): object {
  if (answers === 'text/event-stream') {
    return { description: 'Events as they come.', content: { 'text/event-stream': {} } };
  }
  if (typeof answers === 'string') {
    return {
      description: 'The bytes, to be saved.',
      content: { [answers]: { schema: { type: 'string', format: 'binary' } } },
    };
  }
  return {
    description: 'Done.',
    content: { 'application/json': { schema: withReferences(answers) } },
    ...(links === undefined ? {} : { links }),
  };
}

function toFailure(codes: readonly ErrorCode[]): object {
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
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { type: 'object', properties: { code: { enum: codes } } },
    ],
  };
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].when}.`).join('\n\n'),
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) as object } },
  };
}

const names: ReadonlyMap<unknown, string> = new Map(
  Object.entries(namedSchemas).map(([name, schema]) => [schema, name]),
);

/** A copy in which every schema that has a name is a reference to it. */
function withReferences(schema: unknown): unknown {
  const name = names.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  if (Array.isArray(schema)) return schema.map(withReferences);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withReferences(value)]));
}
