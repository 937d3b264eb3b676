// The OpenAPI 3.1 document, made from the operations themselves, so that it cannot say anything else than they do.
// Served at /openapi.json, rendered at /docs.

import { namedSchemas } from '../operations/schemas.ts';
import type { Operation } from '../operation.ts';
import { toQueryParameters, toRequestBody } from './openapi-parameters.ts';
import { toResponses } from './openapi-responses.ts';

export interface DocumentOptions {
  readonly operations: readonly Operation[];
  readonly version: string;
  /** Where the operations lie: an origin with or without a path, or a path. */
  readonly baseUrl: string;
}

export const interfaceDescription = [
  'Lends temporary e-mail addresses: create-session gives an address and a token, check-mail lists what arrived,',
  'read-mail shows it.',
  '',
  'Parameters of GET operations come in the query. Those of POST operations come in the query or in the body, as',
  'JSON, urlencoded or multipart form, all equal; one parameter given twice with two values is an error. Numbers may',
  'be text in JSON, flags are 1, 0, true or false, empty text and null count as absent, unknown parameters are',
  'ignored. A request is checked in this order: host, path and method, body, token, other parameters.',
  '',
  'Every answer is JSON unless its operation says otherwise, failures included, and has an X-Request-Id. Timestamps',
  'are UTC. Fields and optional parameters may be added at any time.',
].join('\n');

/** Ready to be serialised. */
export function createOpenApiDocument({ operations, version, baseUrl }: DocumentOptions): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mayfly',
      version,
      description: interfaceDescription,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    paths: toPaths(operations),
    components: {
      schemas: namedSchemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token of create-session.' },
        token: { type: 'apiKey', in: 'query', name: 'token', description: 'The same token as a parameter.' },
        ticket: { type: 'apiKey', in: 'query', name: 'ticket', description: 'From a link in read-mail.' },
      },
    },
  };
}

function toPaths(operations: readonly Operation[]): Record<string, object> {
  const paths: Record<string, object> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: toOperation(operation),
    };
  }
  return paths;
}

function toOperation(operation: Operation): object {
  const { name, method, summary } = operation;
  return {
    operationId: name,
    summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(operation.access === 'session' ? { security: toSecurity(operation.ticketScope !== undefined) } : {}),
    ...(method === 'GET' ? toQueryParameters(operation) : toRequestBody(operation)),
    responses: toResponses(operation),
  };
}

/** Any one of them is enough. */
function toSecurity(takesTicket: boolean): object[] {
  return [{ bearer: [] }, { token: [] }, ...(takesTicket ? [{ ticket: [] }] : [])];
}
