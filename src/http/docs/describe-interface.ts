// The interface as its documents describe it (packages/web-pages): its operations with all that is common to their kind.

import type { DescribedInterface, DescribedOperation } from '#web-pages/described-interface';
import { type ErrorCode, errorCatalogue } from '../../domain/error-catalogue.ts';
import { type Operation, operationTags } from '../operation.ts';
import { allParameters } from '../parameters/all-parameters.ts';
import { namedSchemas } from '../views/named-schemas.ts';

const description = [
  'Temporary e-mail addresses: create-session returns an address and a token, check-mail lists the messages,',
  'read-mail shows one.',
  '',
  'Parameters of GET operations are in the query. Those of POST operations are in the query or in the body, as',
  'application/json, application/x-www-form-urlencoded or multipart/form-data, all equivalent; a parameter given twice',
  'with different values is an error. Numbers may be text in JSON, flags are 1, 0, true or false, empty text and null count',
  'as absent, unknown parameters are ignored. A request is checked in this order: host, path and method, body, token,',
  'other parameters.',
  '',
  'The token is given in the header field `Authorization: Bearer TOKEN`, or as the parameter `token` in the query or the',
  'body; the header field is better, since queries end up in logs.',
  '',
  'Every answer is JSON unless its operation says otherwise, failures included, and has an X-Request-Id. Timestamps',
  'are UTC. Fields and optional parameters may be added at any time.',
].join('\n');

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The token of create-session.' },
  token: { type: 'apiKey', in: 'query', name: 'token', description: 'The same token as a parameter.' },
  ticket: { type: 'apiKey', in: 'query', name: 'ticket', description: 'From a link in read-mail.' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'A key of the operator, where one is required or raises the limits.',
  },
};

export function describeInterface(operations: readonly Operation[], version: string): DescribedInterface {
  return {
    title: 'Mayfly',
    version,
    license: 'MIT',
    description,
    operations: operations.map(describe),
    firstOnes: ['listDomains', 'createSession', 'checkMail', 'readMail', 'deleteMail'],
    tags: operationTags,
    namedSchemas,
    errors: errorCatalogue,
    securitySchemes,
  };
}

function describe(operation: Operation): DescribedOperation {
  const ofSession = operation.access === 'session' ? operation : undefined;
  return {
    ...operation,
    allParameters: allParameters(operation),
    fileType: ofSession?.takesFile?.mediaType,
    takesTicket: ofSession?.ticketScope !== undefined,
    errors: errorsOf(operation),
  };
}

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
