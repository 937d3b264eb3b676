// The parameters of a call, from the query and a form in the body, with PHP's rules: the form has precedence, then the
// last value, and `name[]` is a list.

import { MayflyError } from '../../domain/mayfly-error.ts';
import { requireModestForm } from '#http-parts/body-limits';
import type { CompatCall } from '../dialect.ts';

const formType = 'application/x-www-form-urlencoded';
/** Matches the index in `email_ids[]` and `email_ids[3]`. */
const index = /\[\d{0,9}\]$/;

export class AjaxParameters {
  readonly #values = new Map<string, string[]>();

  /** @throws MayflyError unsupported_media_type, malformed_body */
  constructor({ query, headers, body }: Pick<CompatCall, 'query' | 'headers' | 'body'>) {
    this.#add(query);
    if (body.length === 0) return;
    const type = String(headers['content-type'] ?? formType).split(';', 1)[0] ?? '';
    if (type.trim().toLowerCase() !== formType) {
      throw new MayflyError('unsupported_media_type', `Send the body as ${formType}.`);
    }
    requireModestForm(body);
    this.#add(new URLSearchParams(body.toString()));
  }

  #add(pairs: URLSearchParams): void {
    for (const [given, value] of pairs) {
      const name = given.replace(index, '');
      const values = this.#values.get(name);
      if (values) values.push(value);
      else this.#values.set(name, [value]);
    }
  }

  /** Returns undefined when it is absent or empty. */
  get(name: string): string | undefined {
    return this.#values.get(name)?.at(-1) || undefined;
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** Returns a whole number, 0 or more. @throws MayflyError invalid_parameter */
  number(name: string): number | undefined {
    const text = this.get(name);
    if (text === undefined) return undefined;
    if (/^\d{1,15}$/.test(text)) return Number(text);
    throw new MayflyError('invalid_parameter', `\`${name}\` must be a whole number, 0 or more.`, {
      parameter: name,
    });
  }
}

/** Returns undefined for an invalid message id. */
export function toMessageId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
