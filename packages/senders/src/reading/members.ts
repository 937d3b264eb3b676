// Reads the members of a JSON object of a call: each is taken once by what understands it, and those that are left are
// shown with the message. The service's own words for what is wrong come from its dialect.

import type { JsonLimits } from '../../../http-parts/src/body-limits.ts';
import { parseJson } from '../../../http-parts/src/json-object.ts';
import { FailedCallError, type RefusedError } from '../refusal.ts';

export type Path = readonly (string | number)[];

/** `rule`: absent though required; of another type; or of a value that is not allowed. */
export interface Problem {
  readonly path: Path;
  readonly rule: 'missing' | 'type' | 'value';
  /** The requirement, to follow "must be". */
  readonly wanted: string;
}

/** Words a problem as the service does. */
export type Wording = (problem: Problem) => RefusedError;

export type JsonObject = Readonly<Record<string, unknown>>;

/** Room for a thousand recipients with their data. */
const callLimits: JsonLimits = { names: 20_000, commas: 40_000, depth: 32 };

/** @throws MalformedBodyError, FailedCallError */
export function parseCall(
  { body, contentType }: { readonly body: Buffer; readonly contentType: string },
  limits: Partial<JsonLimits> = {},
): unknown {
  if (!/^application\/(?:[\w.-]+[+-])?json(?:-[\d.]+)?[ \t]*(?:;|$)/i.test(contentType)) {
    throw new FailedCallError('unsupported_media_type', 'Send application/json.');
  }
  return parseJson(body, { ...callLimits, ...limits });
}

/** How often and how long a text may be. */
export interface TextRule {
  readonly max?: number;
  /** Whether it may have several lines. */
  readonly isLong?: true;
}

export class Members {
  readonly path: Path;
  readonly #wording: Wording;
  readonly #values: Map<string, unknown>;
  /** Objects within that have been read. */
  readonly #read: Members[] = [];

  /** @throws RefusedError when the value is no object */
  constructor(value: unknown, path: Path, wording: Wording) {
    this.path = path;
    this.#wording = wording;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw wording({
        path,
        rule: value === undefined || value === null ? 'missing' : 'type',
        wanted: 'an object',
      });
    }
    // An absent value and null are the same to all these services.
    this.#values = new Map(Object.entries(value).filter(([, one]) => one !== null && one !== undefined));
  }

  wrong(name: string | number | undefined, wanted: string, rule: Problem['rule'] = 'value'): RefusedError {
    return this.#wording({ path: name === undefined ? this.path : [...this.path, name], rule, wanted });
  }

  /** Reads another object of the call, whose problems are worded alike. */
  beside(value: unknown, path: Path): Members {
    return new Members(value, path, this.#wording);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Returns the value and counts it as taken. */
  take(name: string): unknown {
    const value = this.#values.get(name);
    this.#values.delete(name);
    return value;
  }

  /** @throws RefusedError */
  text(name: string, { max = 998, isLong }: TextRule = {}): string | undefined {
    const value = this.take(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw this.wrong(name, 'a string', 'type');
    const text = value.replace(/\p{Surrogate}/gu, '\ufffd');
    if (isLong) return text;
    if (!isOneLine(text)) throw this.wrong(name, 'one line without control characters');
    if (text.length > max) throw this.wrong(name, `at most ${max} characters long`);
    return text;
  }

  /** @throws RefusedError */
  requiredText(name: string, rule?: TextRule): string {
    const text = this.text(name, rule);
    if (text === undefined || text === '') throw this.wrong(name, 'a string', 'missing');
    return text;
  }

  /** @throws RefusedError */
  list(name: string, max: number): readonly unknown[] {
    const value = this.take(name);
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw this.wrong(name, 'an array', 'type');
    if (value.length > max) throw this.wrong(name, `at most ${max} items long`);
    return value;
  }

  /** Reads each item of a list as an object. */
  objects<T>(name: string, max: number, read: (item: Members) => T): readonly T[] {
    return this.list(name, max).map((item, at) => read(this.#inner(item, [name, at])));
  }

  object(name: string): Members | undefined {
    const value = this.take(name);
    return value === undefined ? undefined : this.#inner(value, [name]);
  }

  /** Names and values of an object of texts, such as header fields. */
  texts(name: string): readonly (readonly [name: string, value: string])[] {
    const inner = this.object(name);
    if (!inner) return [];
    return [...inner.#values.keys()].map((key) => [key, inner.text(key, { isLong: true }) ?? ''] as const);
  }

  /**
   * Takes what is left, also in objects within that have been read: those by their place, `to_0_consent`. What the
   * service documents is checked by its kind; the rest is returned as it is.
   * @throws RefusedError
   */
  rest(kinds: Readonly<Record<string, Kind>> = {}): readonly (readonly [name: string, value: unknown])[] {
    const entries = [...this.#values];
    this.#values.clear();
    for (const [name, value] of entries) {
      const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
      if (kind && !isOfKind(kind, value)) throw this.wrong(name, wantedOf[kind], 'type');
    }
    const within = this.#read.flatMap((inner) => {
      const place = inner.path.slice(this.path.length).join('_');
      return inner.rest(kinds).map(([name, value]) => [`${place}_${name}`, value] as const);
    });
    return [...entries, ...within];
  }

  #inner(value: unknown, place: Path): Members {
    const inner = new Members(value, [...this.path, ...place], this.#wording);
    this.#read.push(inner);
    return inner;
  }
}

/** The kind of a member that is only shown. */
export type Kind = 'string' | 'boolean' | 'integer' | 'object' | 'array' | 'strings' | 'identifier';

const wantedOf: Readonly<Record<Kind, string>> = {
  string: 'a string',
  boolean: 'a boolean',
  integer: 'an integer',
  object: 'an object',
  array: 'an array',
  strings: 'an array of strings',
  identifier: 'a string or an integer',
};

function isOfKind(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'identifier':
      return typeof value === 'string' || Number.isSafeInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'strings':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
    case 'object':
      return typeof value === 'object' && !Array.isArray(value);
    default:
      return typeof value === kind;
  }
}

/** Whether it can be the value of a header field. A tab may be in one. */
export function isOneLine(text: string): boolean {
  return !/[\x00-\x08\x0a-\x1f\x7f\u0085\u2028\u2029]/.test(text);
}
