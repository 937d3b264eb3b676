// Declares how one setting is read from its environment variable: a parser from text to a validated value, with its
// documentation.

import { durationForm, formatDuration, parseDuration } from './duration.ts';

export interface Setting<T> {
  /** The accepted values, for the docs. */
  readonly type: string;
  /** The text used when the variable is absent or empty. */
  readonly fallback: string;
  /** Describes its effect, and the reason for the default. */
  readonly description: string;
  /** Its value never appears in an error. */
  readonly isSecret?: true;
  /** Returns the valid text as operators are shown it; as it is when absent. */
  readonly show?: (text: string) => string;
  /** @throws Error whose message says what is accepted */
  readonly parse: (text: string) => T;
}

function reject(expected: string): never {
  throw new Error(`must be ${expected}`);
}

export function text(fallback: string, description: string): Setting<string> {
  return { type: 'text', fallback, description, parse: (value) => value };
}

/** A whole number from `min` to `max`. */
export function integer(
  range: { min: number; max: number },
  fallback: number,
  description: string,
): Setting<number> {
  const type = `whole number from ${range.min} to ${range.max}`;
  const parse = (value: string): number => {
    const number = Number(value);
    const ok = /^\d{1,16}$/.test(value) && number >= range.min && number <= range.max;
    return ok ? number : reject(`a ${type}`);
  };
  return { type, fallback: String(fallback), description, parse };
}

export function port(fallback: number, description: string): Setting<number> {
  return integer({ min: 0, max: 65535 }, fallback, description);
}

/** Whole seconds, written as people write durations. */
export function duration(
  range: { min: number; max: number },
  fallback: number,
  description: string,
): Setting<number> {
  const type = `${durationForm}, from ${formatDuration(range.min)} to ${formatDuration(range.max)}`;
  const parse = (value: string): number => {
    const seconds = parseDuration(value);
    const isInRange = seconds !== undefined && seconds >= range.min && seconds <= range.max;
    return isInRange ? seconds : reject(type);
  };
  const show = (value: string): string => formatDuration(parse(value));
  return { type, fallback: formatDuration(fallback), description, parse, show };
}

/** Milliseconds, also written as people write durations. */
export function milliseconds(
  range: { min: number; max: number },
  fallback: number,
  description: string,
): Setting<number> {
  const type = `milliseconds, or a duration such as 2s, from ${showMs(range.min)} to ${showMs(range.max)}`;
  const parse = (value: string): number => {
    const [, plain] = /^(\d{1,9})(?:ms)?$/i.exec(value) ?? [];
    const ms = plain === undefined ? (parseDuration(value) ?? NaN) * 1000 : Number(plain);
    return ms >= range.min && ms <= range.max ? ms : reject(type);
  };
  return { type, fallback: showMs(fallback), description, parse, show: (value) => showMs(parse(value)) };
}

function showMs(ms: number): string {
  return ms % 1000 === 0 ? formatDuration(ms / 1000) : `${ms}ms`;
}

/** A limit; 0 for none. */
export function limit(max: number, fallback: number, description: string): Setting<number> {
  const number = integer({ min: 0, max }, fallback, description);
  return { ...number, type: `${number.type}; 0 = none`, parse: (value) => number.parse(value) || Infinity };
}

export function oneOf<const T extends string>(
  values: readonly T[],
  fallback: NoInfer<T>,
  description: string,
): Setting<T> {
  const parse = (value: string): T =>
    values.find((known) => known === value.toLowerCase()) ?? reject(`one of ${values.join(', ')}`);
  return { type: values.join(' | '), fallback, description, parse };
}

/** Comma-separated; spaces around entries are removed, empty entries ignored. */
export function list(fallback: string, description: string): Setting<readonly string[]> {
  const parse = (value: string): readonly string[] =>
    Object.freeze(
      value
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    );
  return { type: 'comma separated list', fallback, description, parse };
}

/** Adds a check to a setting. */
export function checked<T, U>(
  setting: Setting<T>,
  type: string,
  check: (value: T) => U | undefined,
): Setting<U> {
  return { ...setting, type, parse: (value) => check(setting.parse(value)) ?? reject(type) };
}
