// Parses a request body of Mailpit's interface: a JSON object, or a form, which some clients send. Names match in any
// case, as in Go.

import type { IncomingHttpHeaders } from 'node:http';

import { MayflyError } from '../../domain/mayfly-error.ts';
import { requireModestForm } from '#http-parts/body-limits';
import { parseJsonObject } from '#http-parts/json-object';
import type { MailpitIds } from './ids.ts';

/** Values by name in lower case; a repeated form field has all its values. */
export type Fields = ReadonlyMap<string, unknown>;

const idsMax = 10_000;

interface FieldsBody {
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
}

/** Empty without a body. @throws MalformedBodyError */
export function readFields({ body, headers }: FieldsBody): Fields {
  if (body.length === 0) return new Map();
  const type = String(headers['content-type'] ?? '');
  return /^application\/x-www-form-urlencoded\b/i.test(type)
    ? readForm(body)
    : new Map(Object.entries(parseJsonObject(body)).map(([name, value]) => [name.toLowerCase(), value]));
}

function readForm(body: Buffer): Fields {
  requireModestForm(body);
  const fields = new Map<string, string | string[]>();
  const ids: string[] = [];
  for (const [name, value] of new URLSearchParams(body.toString())) {
    const key = name.toLowerCase();
    if (key === 'ids') ids.push(value);
    else fields.set(key, value);
  }
  return ids.length === 0 ? fields : fields.set('ids', ids);
}

/**
 * Returns the numbers of the messages that `IDs` names, ignoring anything else; undefined, which means all messages,
 * when none are given.
 * @throws MayflyError invalid_parameter
 */
export function readIds(fields: Fields, ids: MailpitIds): number[] | undefined {
  const given = fields.get('ids') ?? [];
  if (!Array.isArray(given) || given.length > idsMax || given.some((id) => typeof id !== 'string')) {
    throw new MayflyError('invalid_parameter', `IDs must be a list of at most ${idsMax} strings.`);
  }
  if (given.length === 0) return undefined;
  return (given as string[]).map((id) => ids.toNumber(id)).filter((id) => id !== undefined);
}
