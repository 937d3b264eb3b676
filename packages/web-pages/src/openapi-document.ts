// The OpenAPI 3.1 document, generated from the operations so that it always matches them. Limited to what client generators of every language understand.

import type { DescribedInterface, DescribedOperation } from './described-interface.ts';
import { responseHeaders } from './openapi-headers.ts';
import { toFileBody, toParameters, toRequestBody } from './openapi-parameters.ts';
import { toResponses } from './openapi-responses.ts';
import { createComponents } from './openapi-schemas.ts';

/**
 * Returns an object to be serialised.
 * @param baseUrl where the operations are: an origin with or without a path, or a path
 */
export function createOpenApiDocument(described: DescribedInterface, baseUrl: string): object {
  const { title, version, license, description, operations, tags, errors, securitySchemes } = described;
  const { schemas, references } = createComponents(described);
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      license: { name: license, identifier: license },
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
    paths: toPaths(operations, { references, errors }),
    components: { schemas, headers: responseHeaders, securitySchemes },
  };
}

type Given = Parameters<typeof toResponses>[1];

function toPaths(operations: readonly DescribedOperation[], given: Given): Record<string, object> {
  const paths: Record<string, object> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: toOperation(operation, given),
    };
  }
  return paths;
}

function toOperation(operation: DescribedOperation, given: Given): object {
  const { name, tag, summary, fileType } = operation;
  const body = given.references.request(name);
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    security: toSecurity(operation),
    ...toParameters(operation),
    ...(body ? toRequestBody(operation, body) : {}),
    ...(fileType === undefined ? {} : toFileBody(fileType)),
    responses: toResponses(operation, given),
  };
}

/** Returns alternatives, any one of which is sufficient; an empty one means none is needed. */
function toSecurity(operation: DescribedOperation): object[] {
  if (operation.access === 'public') return operation.takesApiKey ? [{}, { apiKey: [] }] : [];
  // The document has no word for a token in a body, which is then all that is needed.
  const inBody = operation.method === 'POST' && operation.fileType === undefined ? [{}] : [];
  return [{ bearer: [] }, { token: [] }, ...(operation.takesTicket ? [{ ticket: [] }] : []), ...inBody];
}
