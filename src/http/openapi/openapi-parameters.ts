// Parameter tables in the words of OpenAPI. Token and ticket of a query are security schemes there, not parameters.

import type { Operation } from '../operation.ts';
import { bodyReaders } from '../parameters/parse-body.ts';
import type { Parameter, ParameterTable } from '../parameters/parameter.ts';
import { allParameters } from '../serve-operation.ts';

export function toQueryParameters({ parameters }: Operation): object {
  const entries = Object.entries<Parameter>(parameters);
  if (entries.length === 0) return {};
  return {
    parameters: entries.map(([name, parameter]) => ({
      name,
      in: 'query',
      required: parameter.required ?? false,
      description: parameter.description,
      schema: toSchema(parameter),
    })),
  };
}

export function toRequestBody(operation: Operation): object {
  const table = allParameters(operation);
  if (Object.keys(table).length === 0) return {};
  const content = { schema: toBodySchema(table) };
  const mediaTypes = Object.keys(bodyReaders).map((mediaType) => [mediaType, content]);
  const required = Object.values<Parameter>(table).some((parameter) => parameter.required);
  return { requestBody: { required, content: Object.fromEntries(mediaTypes) as object } };
}

function toBodySchema(table: ParameterTable): object {
  const entries = Object.entries<Parameter>(table);
  const required = entries.filter(([, parameter]) => parameter.required).map(([name]) => name);
  const properties = entries.map(([name, parameter]) => [
    name,
    { ...toSchema(parameter), description: parameter.description },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as object,
    ...(required.length > 0 ? { required } : {}),
  };
}

/** The form to send; what else is taken for the same is told in the document's introduction. */
function toSchema(parameter: Parameter): object {
  switch (parameter.kind) {
    case 'int':
      return { type: 'integer', minimum: parameter.min, maximum: parameter.max };
    case 'flag':
      return { type: 'integer', enum: [0, 1] };
    case 'text':
      return {
        type: 'string',
        // Empty text counts as absent.
        ...(parameter.required ? { minLength: 1 } : {}),
        ...(parameter.pattern === undefined ? {} : { pattern: parameter.pattern }),
      };
    case 'choice':
      return { type: 'string', enum: parameter.values };
  }
}
