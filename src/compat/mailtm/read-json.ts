// Parses the JSON bodies of mail.tm's requests.

import { MayflyError } from '../../domain/mayfly-error.ts';
import { unsupportedMediaType } from '../../http/answers/error-answer.ts';
import { requireModestJson } from '#http-parts/body-limits';
import type { CompatCall } from '../dialect.ts';
import { Violation } from './errors.ts';

const jsonTypes = /^application\/(?:json|ld\+json|merge-patch\+json)\s*(?:;|$)/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the members; none for an empty body. @throws MayflyError malformed_body, unsupported_media_type */
export function readMembers({ headers, body }: Pick<CompatCall, 'headers' | 'body'>): object {
  if (body.length === 0) return {};
  const type = headers['content-type'];
  if (type !== undefined && !jsonTypes.test(String(type))) throw unsupportedMediaType();
  requireModestJson(body);
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch (cause) {
    throw new MayflyError('malformed_body', 'Syntax error', { cause });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new MayflyError('malformed_body', 'The body must be a JSON object.');
}

export interface AccountLogin {
  readonly address: string;
  readonly password: string;
  /** The solution of a challenge, which the real service does not require. */
  readonly challenge: string | undefined;
}

/** @throws MayflyError malformed_body, unsupported_media_type; Violation */
export function readAccountLogin(call: Pick<CompatCall, 'headers' | 'body'>): AccountLogin {
  const members = readMembers(call) as Partial<Record<string, unknown>>;
  const { challenge } = members;
  return {
    address: readText(members, 'address'),
    password: readText(members, 'password'),
    challenge: typeof challenge === 'string' ? challenge : undefined,
  };
}

function readText(members: Partial<Record<string, unknown>>, field: Violation['field']): string {
  const value = members[field];
  if (value === undefined || value === null || value === '') {
    throw new Violation(field, 'This value should not be blank.');
  }
  if (typeof value === 'string') return value;
  throw new Violation(field, 'This value should be of type string.');
}
