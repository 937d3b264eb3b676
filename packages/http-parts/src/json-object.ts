// Parses a body that must be a JSON object.

import { MalformedBodyError } from './body.ts';
import { type JsonLimits, requireModestJson } from './body-limits.ts';

/** @throws MalformedBodyError */
export function parseJsonObject(body: Buffer, limits?: JsonLimits): Readonly<Record<string, unknown>> {
  const value = parseJson(body, limits);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new MalformedBodyError('The body must be a JSON object.');
}

/** @throws MalformedBodyError */
export function parseJson(body: Buffer, limits?: JsonLimits): unknown {
  requireModestJson(body, limits);
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new MalformedBodyError('The body is not JSON.');
  }
}
