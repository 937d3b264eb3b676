// An interface of HTTP operations as its documents need it.

import type { Schema } from '../../http-parts/src/json-schema.ts';
import type { ParameterTable } from '../../values/src/parameter.ts';

export interface DescribedOperation {
  /** The operationId, in camelCase. */
  readonly name: string;
  readonly tag: string;
  readonly method: 'GET' | 'POST';
  /** Below the base path. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Public operations take no credentials. */
  readonly access: 'public' | 'session';
  readonly parameters: ParameterTable;
  /** With those of its credentials. */
  readonly allParameters: ParameterTable;
  /** The media type of a body that is a file. */
  readonly fileType: string | undefined;
  readonly takesTicket: boolean;
  readonly takesApiKey?: true;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** A JSON schema of the successful body, or a media type other than JSON. */
  readonly answers: Schema | string;
  readonly example?: object;
  readonly links?: Readonly<Record<string, object>>;
  /** Every code it can fail with, in the order of the catalogue. */
  readonly errors: readonly string[];
}

export interface DescribedInterface {
  readonly title: string;
  readonly version: string;
  readonly license: string;
  /** Paragraphs. */
  readonly description: string;
  readonly operations: readonly DescribedOperation[];
  /** The names of those that most clients need, in the order in which they need them. */
  readonly firstOnes: readonly string[];
  /** Group → what it is for, in the order of the docs. */
  readonly tags: Readonly<Record<string, string>>;
  /** Shapes with a name in the document; all others are inline. */
  readonly namedSchemas: Readonly<Record<string, Schema>>;
  readonly errors: Readonly<Record<string, { readonly http: number; readonly when: string }>>;
  /** In OpenAPI's form: bearer, token, ticket, apiKey. */
  readonly securitySchemes: Readonly<Record<string, object>>;
}
