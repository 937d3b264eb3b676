// Parses request bodies.

import { requireModestJson } from '#http-parts/body-limits';
import { invalidField } from './mailosaur-error.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** @throws MayflyError invalid_parameter */
export function parseObject(body: Buffer): JsonObject {
  requireModestJson(body);
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw invalidField('body', 'The body must be JSON.');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw invalidField('body', 'The body must be a JSON object.');
}
