// Parameter tables in OpenAPI's form. Token and ticket in a query are security schemes there, not parameters.

import type { DescribedOperation } from './described-interface.ts';
import type { Parameter } from '../../values/src/parameter.ts';

/** Parameters in the query, for GET, and in the header. */
export function toParameters({ method, parameters, requestHeaders = {} }: DescribedOperation): object {
  const inQuery = method === 'GET' ? Object.entries<Parameter>(parameters) : [];
  const described = [
    ...inQuery.map(([name, parameter]) => ({
      name,
      in: 'query',
      required: parameter.required ?? false,
      description: parameter.description,
      schema: toParameterSchema(parameter),
    })),
    ...Object.entries(requestHeaders).map(([name, description]) => ({
      name,
      in: 'header',
      required: false,
      description,
      schema: { type: 'string' },
    })),
  ];
  return described.length === 0 ? {} : { parameters: described };
}

/**
 * Returns a JSON body with this schema. The document's introduction names the other accepted media types, because
 * generators make one method for each, or fail.
 */
export function toRequestBody({ parameters }: DescribedOperation, schema: object): object {
  const required = Object.values<Parameter>(parameters).some((parameter) => parameter.required);
  return { requestBody: { required, content: { 'application/json': { schema } } } };
}

/** The body of an operation that takes a file. */
export function toFileBody(mediaType: string): object {
  return {
    requestBody: {
      required: true,
      content: { [mediaType]: { schema: { type: 'string', format: 'binary' } } },
    },
  };
}

/** Returns the body of a POST operation; undefined when it has none. */
export function toBodySchema({ method, fileType, allParameters }: DescribedOperation): object | undefined {
  const entries = Object.entries<Parameter>(allParameters);
  if (method === 'GET' || fileType !== undefined || entries.length === 0) return undefined;
  const required = entries.filter(([, parameter]) => parameter.required).map(([name]) => name);
  const properties = entries.map(([name, parameter]) => [
    name,
    { ...toParameterSchema(parameter), description: parameter.description },
  ]);
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(properties) as object,
  };
}

const int32Max = 2 ** 31 - 1;

/** Our own timestamp from 1970 on, or nothing, because empty text counts as absent. */
const timePattern =
  '^((19[7-9][0-9]|[2-9][0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]) ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9])?$';

/** Describes the preferred form; the document's introduction names the others accepted. */
function toParameterSchema(parameter: Parameter): object {
  switch (parameter.kind) {
    case 'int': {
      const { min, max } = parameter;
      return { type: 'integer', format: max > int32Max ? 'int64' : 'int32', minimum: min, maximum: max };
    }
    case 'duration':
      return { type: 'string' };
    case 'flag':
      // Not an enumeration, which in some languages cannot contain numbers.
      return { type: 'integer', format: 'int32', minimum: 0, maximum: 1 };
    case 'text':
      return {
        type: 'string',
        // Empty text counts as absent.
        ...(parameter.required ? { minLength: 1 } : {}),
        ...(parameter.maxLength === undefined ? {} : { maxLength: parameter.maxLength }),
        ...(parameter.pattern === undefined ? {} : { pattern: parameter.pattern }),
      };
    case 'time':
      return { type: 'string', pattern: timePattern };
    case 'choice':
      return { type: 'string', enum: parameter.values };
  }
}
