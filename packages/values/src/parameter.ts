// Declarations of request parameters, from which their parser and its error messages are derived.

import { durationForm, formatDuration, parseDuration } from './duration.ts';
import { parseInstant } from './timestamp.ts';

interface Described {
  /** One sentence for the docs. */
  readonly description: string;
  readonly required?: true;
}

export interface IntParameter extends Described {
  readonly kind: 'int';
  readonly min: number;
  readonly max: number;
}

/** Whole seconds, given as such or as `parseDuration` reads them. */
export interface DurationParameter extends Described {
  readonly kind: 'duration';
  /** In seconds. */
  readonly max: number;
}

export interface FlagParameter extends Described {
  readonly kind: 'flag';
}

export interface TextParameter extends Described {
  readonly kind: 'text';
  /** For the document only: the operation checks the value and has its own error for it. */
  readonly pattern?: string;
  /** In characters. */
  readonly maxLength?: number;
}

/** An instant in ms since 1970, given as a timestamp in any form that `parseInstant` reads, or in seconds. */
export interface TimeParameter extends Described {
  readonly kind: 'time';
}

export interface ChoiceParameter extends Described {
  readonly kind: 'choice';
  readonly values: readonly string[];
}

export type Parameter =
  IntParameter | DurationParameter | FlagParameter | TextParameter | TimeParameter | ChoiceParameter;
/** In the order of the docs. */
export type ParameterTable = Readonly<Record<string, Parameter>>;

type ValueOf<P> = P extends IntParameter | DurationParameter | TimeParameter
  ? number
  : P extends FlagParameter
    ? boolean
    : P extends ChoiceParameter
      ? P['values'][number]
      : string;

export type ParameterValues<T extends ParameterTable> = {
  readonly [Name in keyof T]: T[Name] extends { required: true }
    ? ValueOf<T[Name]>
    : ValueOf<T[Name]> | undefined;
};

/** A parameter whose value is refused. The message is one sentence for the caller. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
  readonly code: 'missing_parameter' | 'invalid_parameter' | 'conflicting_parameters';
  readonly parameter: string;

  constructor(code: ParameterError['code'], message: string, parameter: string) {
    super(message);
    this.code = code;
    this.parameter = parameter;
  }
}

/** Represents text of a query or form whose percent-encoding is invalid. */
export const undecodable = Symbol('undecodable');

/**
 * Converts a value as received (text, or any JSON) to the parameter's type. Absent, null and empty text give
 * undefined.
 * @throws ParameterError
 */
export function parseValue(
  name: string,
  parameter: Parameter,
  raw: unknown,
): number | boolean | string | undefined {
  if (raw === null || raw === undefined || raw === '') return undefined;
  const value = readKind(parameter, raw);
  if (value !== undefined) return value;
  throw new ParameterError('invalid_parameter', `\`${name}\` must be ${describeKind(parameter)}.`, name);
}

function readKind(parameter: Parameter, raw: unknown): number | boolean | string | undefined {
  switch (parameter.kind) {
    case 'int':
      return readInt(parameter, raw);
    case 'duration':
      return readDuration(parameter, raw);
    case 'flag':
      return readFlag(raw);
    case 'text':
      return typeof raw === 'string' && raw.length <= (parameter.maxLength ?? Infinity) ? raw : undefined;
    case 'time':
      return parseInstant(raw);
    case 'choice':
      return parameter.values.find((value) => value === raw);
  }
}

function readInt({ min, max }: IntParameter, raw: unknown): number | undefined {
  const number = typeof raw === 'string' && /^\d{1,16}$/.test(raw) ? Number(raw) : raw;
  return Number.isSafeInteger(number) && (number as number) >= min && (number as number) <= max
    ? (number as number)
    : undefined;
}

function readDuration({ max }: DurationParameter, raw: unknown): number | undefined {
  const seconds = typeof raw === 'string' ? parseDuration(raw) : raw;
  return readInt({ kind: 'int', description: '', min: 0, max }, seconds);
}

function readFlag(raw: unknown): boolean | undefined {
  if (raw === true || raw === 1 || raw === '1' || raw === 'true') return true;
  if (raw === false || raw === 0 || raw === '0' || raw === 'false') return false;
  return undefined;
}

/** Describes the values allowed, in words that end a sentence. */
export function describeKind(parameter: Parameter): string {
  switch (parameter.kind) {
    case 'int':
      return parameter.max === Number.MAX_SAFE_INTEGER
        ? `a whole number of at least ${parameter.min}`
        : `a whole number from ${parameter.min} to ${parameter.max}`;
    case 'duration':
      return `${durationForm}, at most ${formatDuration(parameter.max)}`;
    case 'flag':
      return '1 or 0, true or false';
    case 'text':
      return parameter.maxLength === undefined ? 'text' : `text of at most ${parameter.maxLength} characters`;
    case 'time':
      return 'a time such as 2026-01-31 12:00:00 (UTC) or 2026-01-31T12:00:00Z, or seconds since 1970';
    case 'choice':
      return parameter.values.join(' or ');
  }
}
