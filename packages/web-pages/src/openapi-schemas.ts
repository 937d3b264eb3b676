// The named schemas of the document: every shape that generated code needs a name for, which are the shared ones, and
// each operation's body and answer, named after it.

import type { Schema } from '../../http-parts/src/json-schema.ts';
import type { DescribedInterface } from './described-interface.ts';
import { toBodySchema } from './openapi-parameters.ts';

export interface SchemaReferences {
  /** Refers to the body of this operation; undefined when it has none. */
  request(operationName: string): object | undefined;
  /** Refers to the successful answer of this operation. */
  response(operationName: string): object;
}

/** Returns the `schemas` of `components` and how to refer to them. */
export function createComponents({
  operations,
  namedSchemas,
}: Pick<DescribedInterface, 'operations' | 'namedSchemas'>): {
  readonly schemas: Readonly<Record<string, object>>;
  readonly references: SchemaReferences;
} {
  const names = new Map<unknown, string>(
    Object.entries(namedSchemas).map(([name, schema]) => [schema, name]),
  );
  const bodies = operations.flatMap((operation): [string, object][] => {
    const schema = toBodySchema(operation);
    return schema ? [[requestName(operation.name), schema]] : [];
  });
  const answers = operations.flatMap(({ name, answers: schema }): [string, object][] =>
    typeof schema === 'string' ? [] : [[responseName(name), withReferences(schema, names)]],
  );
  const shared = Object.entries(namedSchemas).map(
    ([name, schema]) => [name, withReferences(schema, names)] as const,
  );
  const schemas: Readonly<Record<string, object>> = Object.fromEntries([...shared, ...bodies, ...answers]);
  return {
    schemas,
    references: {
      request: (name) => (requestName(name) in schemas ? refer(requestName(name)) : undefined),
      response: (name) => refer(responseName(name)),
    },
  };
}

function requestName(operation: string): string {
  return `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Request`;
}

function responseName(operation: string): string {
  return `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Result`;
}

function refer(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

type Names = ReadonlyMap<unknown, string>;

/** Returns a copy with references in place of named schemas inside it. */
function withReferences(schema: Schema, names: Names): object {
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, replaceNamed(value, names)]));
}

function replaceNamed(value: unknown, names: Names): unknown {
  const name = names.get(value);
  if (name !== undefined) return refer(name);
  if (Array.isArray(value)) return value.map((one) => replaceNamed(one, names));
  if (typeof value !== 'object' || value === null) return value;
  return withReferences(value, names);
}
