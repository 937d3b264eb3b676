import { describe, expect, it } from 'vitest';

import { compose } from './compose.ts';
import { readerOf } from './readers.ts';
import { senders } from './senders.ts';

const jsonReaders = senders
  .flatMap(({ calls }) => calls.map(({ reader }) => reader))
  .filter((reader) => !/^mailgun|^ses-query$/.test(reader));

describe.each(jsonReaders)('the reader %s', (reader) => {
  const read = (body: string, contentType: string) =>
    compose(readerOf(reader), { reader, body: Buffer.from(body), contentType, given: {} });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'text/html; a=application/json',
  ])('refuses JSON that came as %s', (contentType) => {
    expect(read('{}', contentType)).toMatchObject({ kind: 'failed', code: 'unsupported_media_type' });
  });

  it.each(['application/json', 'Application/JSON; charset=utf-8', 'application/x-amz-json-1.1'])(
    'reads JSON that came as %s',
    (contentType) => {
      expect(read('{', contentType).kind).not.toBe('composed');
      expect(read('{', contentType)).not.toMatchObject({ code: 'unsupported_media_type' });
    },
  );

  it.each(['null', '5', '"a"'])('says that the body must be something else than %s', (body) => {
    const made = read(body, 'application/json');
    if (made.kind !== 'refused') throw new Error(made.kind);
    expect(made.refusal.message).toMatch(/\bbody\b|Expected: object/);
  });
});

describe.each(senders)('$name', ({ toRefusal, toErrorAnswer }) => {
  it.each([408, 410, 415, 421])('answers %i as a fault of the request', (status) => {
    const { body } = toErrorAnswer(toRefusal(status), '/v2/');
    expect(body).not.toMatch(/internal|application_error|unexpected/i);
  });
});
