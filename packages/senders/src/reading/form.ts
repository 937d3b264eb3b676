// Reads the forms of Mailgun and of Amazon SES: names that may come several times, and files.

import { requireModestForm } from '../../../http-parts/src/body-limits.ts';
import { decodeUtf8, type FormPart, parseMultipart } from '../../../http-parts/src/multipart.ts';
import { parseUrlencoded } from '../../../http-parts/src/urlencoded.ts';
import { FailedCallError } from '../refusal.ts';

const partsMax = 3000;

export class Form {
  readonly #parts = new Map<string, FormPart[]>();

  /** @throws MalformedBodyError, FailedCallError */
  constructor(body: Buffer, contentType: string) {
    for (const part of parse(body, contentType)) {
      const same = this.#parts.get(part.name);
      if (same) same.push(part);
      else this.#parts.set(part.name, [part]);
    }
  }

  /** Counts them as taken. */
  files(name: string): readonly FormPart[] {
    const parts = this.#parts.get(name) ?? [];
    this.#parts.delete(name);
    return parts;
  }

  texts(name: string): readonly string[] {
    return this.files(name).map(({ bytes }) => decodeUtf8(bytes).replace(/\p{Surrogate}/gu, '\ufffd'));
  }

  /** The first value; undefined without one. */
  text(name: string): string | undefined {
    return this.texts(name)[0];
  }

  /** Those that have not been taken. */
  names(): readonly string[] {
    return [...this.#parts.keys()];
  }
}

function parse(body: Buffer, contentType: string): readonly FormPart[] {
  if (/^multipart\/form-data\b/i.test(contentType)) return parseMultipart(body, contentType, partsMax);
  if (contentType !== '' && !/^application\/x-www-form-urlencoded\b/i.test(contentType)) {
    throw new FailedCallError('unsupported_media_type', 'Send a form.');
  }
  requireModestForm(body);
  return parseUrlencoded(decodeUtf8(body)).map(([name, value]) => ({
    name,
    filename: undefined,
    contentType: '',
    bytes: Buffer.from(value),
  }));
}
