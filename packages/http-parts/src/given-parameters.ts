// The parameters of one request, collected from query and body, which rank equally: a parameter given twice must have
// the same value.

import type { CarriedPairs } from './body.ts';
import { decodeText, splitPairs } from './urlencoded.ts';
import {
  type Parameter,
  ParameterError,
  type ParameterTable,
  type ParameterValues,
  parseValue,
  undecodable,
} from '../../values/src/parameter.ts';

/** How an empty text is interpreted; as absent by default. */
interface Reading {
  readonly takesEmptyText?: boolean;
}

const unknownMax = 20;
/** Longer ones resemble no parameter. */
const unknownMaxLength = 64;

export class GivenParameters {
  readonly #values = new Map<string, unknown[]>();
  readonly #takesEmptyText: boolean;
  readonly #unknown = new Set<string>();

  /** Keeps only names in `known`; `query` is the part of the URL after `?`, undecoded. */
  constructor(known: ReadonlySet<string>, query: string, body: CarriedPairs, reading?: Reading) {
    this.#takesEmptyText = reading?.takesEmptyText ?? false;
    for (const [rawName, rawValue] of splitPairs(query)) {
      const name = decodeText(rawName);
      if (name === undefined) continue;
      if (known.has(name)) this.#add(name, decodeText(rawValue) ?? undecodable);
      else this.#recordUnknown(name);
    }
    for (const [name, value] of body) {
      if (known.has(name)) this.#add(name, value);
      else this.#recordUnknown(name);
    }
  }

  /** The first few names that are not known, in order. */
  get unknown(): ReadonlySet<string> {
    return this.#unknown;
  }

  #recordUnknown(name: string): void {
    if (this.#unknown.size < unknownMax && name.length <= unknownMaxLength) this.#unknown.add(name);
  }

  #add(name: string, value: unknown): void {
    const values = this.#values.get(name);
    if (values) values.push(value);
    else this.#values.set(name, [value]);
  }

  /** Returns undefined for absent. @throws ParameterError */
  take(name: string, parameter: Parameter): number | boolean | string | undefined {
    let taken: number | boolean | string | undefined;
    for (const raw of this.#values.get(name) ?? []) {
      const isEmptyText = raw === '' && this.#takesEmptyText && parameter.kind === 'text';
      const value = isEmptyText ? '' : parseValue(name, parameter, raw);
      if (value === undefined) continue;
      if (taken !== undefined && taken !== value) throw conflictingValues(name);
      taken = value;
    }
    if (taken !== undefined || !parameter.required) return taken;
    throw new ParameterError('missing_parameter', `\`${name}\` is required.`, name);
  }

  /** @throws ParameterError */
  takeAll<T extends ParameterTable>(table: T): ParameterValues<T> {
    const values: Record<string, unknown> = {};
    for (const name in table) {
      const parameter = table[name];
      if (parameter) values[name] = this.take(name, parameter);
    }
    return values as ParameterValues<T>;
  }
}

export function conflictingValues(name: string): ParameterError {
  return new ParameterError('conflicting_parameters', `\`${name}\` is given twice with two values.`, name);
}
