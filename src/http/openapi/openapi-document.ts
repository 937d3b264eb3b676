// The OpenAPI 3.1 document, generated from the operations so that it always matches them. Served at /openapi.json,
// rendered at /docs. Limited to what client generators of every language understand.

import { type Operation, operationTags } from '../operation.ts';
import { responseHeaders } from './openapi-headers.ts';
import { toFileBody, toParameters, toRequestBody } from './openapi-parameters.ts';
import { toResponses } from './openapi-responses.ts';
import { createComponents } from './openapi-schemas.ts';

export interface DocumentOptions {
  readonly operations: readonly Operation[];
  readonly version: string;
  /** Where the operations are: an origin with or without a path, or a path. */
  readonly baseUrl: string;
}

export const interfaceDescription = [
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

/** Returns an object to be serialised. */
export function createOpenApiDocument({ operations, version, baseUrl }: DocumentOptions): object {
  const { schemas, references } = createComponents(operations);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mayfly',
      version,
      description: interfaceDescription,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(operationTags).map(([name, description]) => ({ name, description })),
    paths: toPaths(operations, references),
    components: { schemas, headers: responseHeaders, securitySchemes },
  };
}

type References = ReturnType<typeof createComponents>['references'];

function toPaths(operations: readonly Operation[], references: References): Record<string, object> {
  const paths: Record<string, object> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: toOperation(operation, references),
    };
  }
  return paths;
}

function toOperation(operation: Operation, references: References): object {
  const { name, tag, summary } = operation;
  const body = references.request(name);
  const file = operation.access === 'session' ? operation.takesFile : undefined;
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    security: toSecurity(operation),
    ...toParameters(operation),
    ...(body ? toRequestBody(operation, body) : {}),
    ...(file ? toFileBody(file.mediaType) : {}),
    responses: toResponses(operation, references),
  };
}

/** Returns alternatives, any one of which is sufficient; an empty one means none is needed. */
function toSecurity(operation: Operation): object[] {
  if (operation.access === 'public') return operation.takesApiKey ? [{}, { apiKey: [] }] : [];
  // The document has no word for a token in a body, which is then all that is needed.
  const inBody = operation.method === 'POST' && !operation.takesFile ? [{}] : [];
  return [{ bearer: [] }, { token: [] }, ...(operation.ticketScope ? [{ ticket: [] }] : []), ...inBody];
}
