import { describe, expect, it } from 'vitest';

import { compose, type Composition, isComposed } from './compose.ts';
import { readerOf } from './readers.ts';
import { senders } from './senders.ts';

function read(reader: string, body: string, contentType = 'application/json'): Composition {
  const call = { reader, body: Buffer.from(body), contentType, given: { domain: 'shop.example' } };
  return compose(readerOf(reader), call);
}

const mail = { from: 'Shop <shop@shop.example>', to: ['ann@a.example'], subject: 'Hello', text: 'Hi' };

describe('compose', () => {
  it('builds a message with its envelope', () => {
    const made = read('resend-email', JSON.stringify({ ...mail, bcc: 'bob@b.example' }));
    if (made.kind !== 'composed') throw new Error(made.kind);
    const [item] = made.items.filter(isComposed);
    expect(item).toMatchObject({ mailFrom: 'shop@shop.example', rcptTo: ['ann@a.example', 'bob@b.example'] });
    const text = Buffer.concat([Buffer.from(item!.head), Buffer.from(made.bodies[item!.body]!)]).toString();
    expect(text).toMatch(/^From: "Shop" <shop@shop\.example>\r\nTo: <ann@a\.example>\r\n/);
    expect(text).not.toContain('bob@b.example');
  });

  it('builds a body once that several messages share', () => {
    const to = ['ann@a.example', 'bob@b.example'].map((email) => ({ to: [{ email }] }));
    const call = {
      from: { email: 'shop@shop.example' },
      personalizations: to,
      subject: 'Hello',
      content: [{ type: 'text/plain', value: 'Hi' }],
    };
    expect(read('sendgrid', JSON.stringify(call))).toMatchObject({
      kind: 'composed',
      items: [{ body: 0 }, { body: 0 }],
    });
  });

  it("refuses in the service's words", () => {
    expect(read('resend-email', JSON.stringify({ ...mail, from: 'none' }))).toMatchObject({
      kind: 'refused',
      refusal: { status: 422, code: 'invalid_from_address' },
    });
  });

  it.each([
    ['resend-email', '{', 'application/json', 'malformed_body'],
    ['mailgun-message', 'to=a', 'text/plain', 'unsupported_media_type'],
    ['mailgun-message', 'to=%ff', 'application/x-www-form-urlencoded', 'malformed_body'],
  ])('fails for a body that %s cannot read', (reader, body, contentType, code) => {
    expect(read(reader, body, contentType)).toMatchObject({ kind: 'failed', code });
  });
});

it('has a reader for every call', () => {
  for (const { calls } of senders) {
    for (const { reader } of calls) expect(readerOf(reader)).toBeTypeOf('function');
  }
});
