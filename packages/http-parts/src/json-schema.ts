// Builders for the JSON schemas of answers (JSON Schema 2020-12, as in OpenAPI 3.1) that carry the TypeScript type of
// what they describe. Not used for validation. Written here, because loading a schema library for these few literals
// would cost each start 370 modules and 19 MB.

/** Exists only for the compiler: the type of the values a schema describes. */
declare const described: unique symbol;

export interface Schema<T = unknown> {
  readonly [described]?: T;
  readonly description?: string;
}

/** The schema of an optional property. */
export interface OptionalSchema<T = unknown> extends Schema<T> {
  readonly [isOptional]: true;
}

export type Properties = Readonly<Record<string, Schema>>;

export interface ObjectSchema<P extends Properties> extends Schema<ObjectOf<P>> {
  readonly type: 'object';
  readonly required?: readonly string[];
  readonly properties: P;
}

/** The type of the values that fit the schema. */
export type Static<S extends Schema> = S extends Schema<infer T> ? T : never;

type OptionalName<P extends Properties> = {
  [K in keyof P]: P[K] extends OptionalSchema ? K : never;
}[keyof P];
type ObjectOf<P extends Properties> = { -readonly [K in Exclude<keyof P, OptionalName<P>>]: Static<P[K]> } & {
  -readonly [K in OptionalName<P>]?: Static<P[K]>;
};

interface Described {
  readonly description?: string;
}

interface NumberBounds extends Described {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Not enumerable, so that it never appears in the document. */
const isOptional: unique symbol = Symbol('optional');

export const Type = {
  Boolean: (options: Described = {}): Schema<boolean> => ({ type: 'boolean', ...options }) as Schema<boolean>,
  /** Needs a format, without which generated clients use 32 bits. */
  Integer: (options: NumberBounds = {}): Schema<number> =>
    ({ type: 'integer', format: 'int64', ...options }) as Schema<number>,
  Number: (options: NumberBounds = {}): Schema<number> =>
    ({ type: 'number', format: 'double', ...options }) as Schema<number>,
  String: (options: Described & { readonly pattern?: string } = {}): Schema<string> =>
    ({ type: 'string', ...options }) as Schema<string>,
  Literal: <const T extends string>(value: T): Schema<T> => ({ type: 'string', const: value }) as Schema<T>,
  Array: <S extends Schema>(items: S, options: Described = {}): Schema<Static<S>[]> =>
    ({ type: 'array', items, ...options }) as Schema<Static<S>[]>,
  /** One of these texts, as a single list, which generated clients turn into an enumeration. */
  Enum: <const T extends string>(values: readonly T[], options: Described = {}): Schema<T> =>
    ({ type: 'string', enum: values, ...options }) as Schema<T>,
  Nullable: <S extends Schema>(schema: S): Schema<Static<S> | null> =>
    ({ anyOf: [schema, { type: 'null' }] }) as Schema<Static<S> | null>,
  Optional: <S extends Schema>(schema: S): S & OptionalSchema<Static<S>> =>
    Object.defineProperty({ ...schema }, isOptional, { value: true }) as S & OptionalSchema<Static<S>>,
  Object: <const P extends Properties>(properties: P, options: Described = {}): ObjectSchema<P> => {
    const required = Object.keys(properties).filter((name) => !(isOptional in (properties[name] ?? {})));
    return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options };
  },
};
