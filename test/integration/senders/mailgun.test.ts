// Mailgun's dialect: every documented parameter of its forms, recipient variables, whole messages, limits and errors.

import { describe, expect, it } from 'vitest';

import type { HttpAnswer } from '../http-harness.ts';
import { expectNoInjection, injections } from './field-table.ts';
import { openSender, type SeenMail, type SenderFixture } from './open-sender.ts';

const path = '/v3/mg.example.org/messages';
const credentials = (token: string) => ({
  authorization: `Basic ${Buffer.from(`api:key-${token}`).toString('base64')}`,
});

type Pairs = readonly (readonly [name: string, value: string | File])[];

const base: Pairs = [
  ['from', 'Shop <shop@example.org>'],
  ['to', 'ann@shop.example'],
  ['subject', 'Hello'],
  ['text', 'Hi.'],
];
const without = (name: string): Pairs => base.filter(([own]) => own !== name);

async function post(sender: SenderFixture, pairs: Pairs, at = path): Promise<HttpAnswer> {
  const form = new FormData();
  for (const [name, value] of pairs) form.append(name, value);
  const request = new Request('http://x.example/', { method: 'POST', body: form });
  const body = Buffer.from(await request.arrayBuffer());
  return sender.post(at, body, { 'content-type': String(request.headers.get('content-type')) });
}

const kept: readonly (readonly [
  name: string,
  pairs: Pairs,
  mail: Partial<Record<keyof SeenMail, unknown>>,
])[] = [
  ['from', base, { From: { Name: 'Shop', Address: 'shop@example.org' } }],
  [
    'to',
    [...base, ['to', 'Bea <b@x.example>, c@x.example']],
    { To: [{ Address: 'ann@shop.example' }, { Name: 'Bea' }, { Address: 'c@x.example' }] },
  ],
  ['cc', [...base, ['cc', 'c@x.example']], { Cc: [{ Address: 'c@x.example' }] }],
  [
    'bcc',
    [...base, ['bcc', 'b@x.example']],
    { Bcc: [{ Address: 'b@x.example' }], raw: expect.not.stringContaining('b@x.example') },
  ],
  ['subject', [...without('subject'), ['subject', 'Grüße 😀']], { Subject: 'Grüße 😀' }],
  ['text', base, { Text: 'Hi.' }],
  ['html', [...base, ['html', '<p>Hi</p>']], { HTML: '<p>Hi</p>' }],
  [
    'amp-html',
    [...base, ['amp-html', '<html ⚡4email>']],
    { raw: expect.stringContaining('text/x-amp-html') },
  ],
  [
    'attachment',
    [...base, ['attachment', new File(['abc'], 'a b.txt', { type: 'text/plain' })]],
    { Attachments: [{ FileName: 'a b.txt', ContentType: 'text/plain', Size: 3 }] },
  ],
  [
    'inline',
    [
      ...base,
      ['html', '<img src="cid:p.png">'],
      ['inline', new File(['abc'], 'p.png', { type: 'image/png' })],
    ],
    { Inline: [{ FileName: 'p.png', ContentID: 'p.png', Size: 3 }] },
  ],
  [
    'template',
    [...without('text'), ['template', 'order'], ['t:variables', '{"code":"482913"}']],
    { Text: expect.stringContaining('"code": "482913"'), headers: { 'X-Mailgun-Template': ['order'] } },
  ],
  [
    't:version',
    [...without('text'), ['template', 'order'], ['t:version', 'v2']],
    { headers: { 'X-Mailgun-T-Version': ['v2'] } },
  ],
  [
    't:text',
    [...without('text'), ['template', 'order'], ['t:text', 'yes']],
    { headers: { 'X-Mailgun-T-Text': ['yes'] } },
  ],
  [
    't:variables beside a text',
    [...base, ['template', 'order'], ['t:variables', '{"a":1}']],
    { Text: 'Hi.', headers: { 'X-Mailgun-T-Variables': ['{"a":1}'] } },
  ],
  ['o:tag', [...base, ['o:tag', 'a'], ['o:tag', 'b']], { headers: { 'X-Mailgun-O-Tag': ['["a","b"]'] } }],
  ...(
    [
      ...['o:dkim', 'o:testmode', 'o:tracking', 'o:tracking-opens', 'o:require-tls', 'o:skip-verification'],
      'o:tracking-pixel-location-top',
    ] as const
  ).map((name) => [name, [...base, [name, 'yes']], { headers: { [headerOf(name)]: ['yes'] } }] as const),
  ...(
    [
      ...['o:secondary-dkim', 'o:secondary-dkim-public', 'o:deliverytime-optimize-period'],
      ...['o:time-zone-localize', 'o:sending-ip', 'o:sending-ip-pool', 'o:archive-to'],
      ...['o:suppress-headers', 'new-thing'],
    ] as const
  ).map(
    (name) =>
      [name, [...base, [name, 'some value']], { headers: { [headerOf(name)]: ['some value'] } }] as const,
  ),
  ...(
    [
      ['o:tracking', 'htmlonly'],
      ['o:tracking-clicks', 'htmlonly'],
      ['o:deliverytime', 'Fri, 27 Nov 2026 10:00:00 -0000'],
      ['o:deliverytime', '1795773600'],
    ] as const
  ).map(
    ([name, value]) => [name, [...base, [name, value]], { headers: { [headerOf(name)]: [value] } }] as const,
  ),
  [
    'h:',
    [...base, ['h:X-My-Header', 'one'], ['h:Reply-To', 'R <r@x.example>']],
    { headers: { 'X-My-Header': ['one'] }, ReplyTo: [{ Name: 'R', Address: 'r@x.example' }] },
  ],
  [
    'v:',
    [...base, ['v:my-var', '{"a":1}']],
    { headers: { 'X-Mailgun-Variables': ['{"my-var":"{\\"a\\":1}"}'] } },
  ],
];

/** `X-Mailgun-O-Dkim` for `o:dkim`. */
function headerOf(name: string): string {
  const words = name.split(/\W/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `X-Mailgun-${words.join('-')}`;
}

describe('parameters', () => {
  it.each(kept)('keeps and shows %s', async (_, pairs, mail) => {
    const sender = await openSender(credentials);
    const answer = await post(sender, pairs);
    expect([answer.status, answer.json]).toEqual([
      200,
      { id: expect.stringMatching(/^<.+@mg\.example\.org>$/), message: 'Queued. Thank you.' },
    ]);
    const [seen] = await sender.mails();
    expect(seen).toMatchObject(mail);
    expect(seen?.headers['Message-Id']).toEqual([(answer.json as { id: string }).id]);
  });

  it('takes them urlencoded too, and below /mailgun', async () => {
    const sender = await openSender(credentials);
    const form = new URLSearchParams(base as [string, string][]).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await sender.post(`/mailgun${path}`, form, type)).status).toBe(200);
    expect(await sender.mails()).toMatchObject([{ Subject: 'Hello' }]);
  });

  it.each<[string, Pairs, string]>([
    ['no from', without('from'), 'from'],
    ['no to', without('to'), 'to'],
    ['no text', without('text'), 'text'],
    ['a to that is none', [...base, ['to', 'none']], 'to'],
    ['an attachment by address', [...base, ['attachment', 'https://x.example/a.txt']], 'attachment'],
    ['a switch of another value', [...base, ['o:testmode', 'maybe']], 'o:testmode'],
    ['clicks tracked in another way', [...base, ['o:tracking-clicks', 'maybe']], 'o:tracking-clicks'],
    ['opens tracked as clicks are', [...base, ['o:tracking-opens', 'htmlonly']], 'o:tracking-opens'],
    ['a delivery at no time', [...base, ['o:deliverytime', 'soon']], 'o:deliverytime'],
    ['variables that are no JSON', [...base, ['recipient-variables', '{']], 'recipient-variables'],
    ['eleven tags', [...base, ...Array.from({ length: 11 }, () => ['o:tag', 'a'] as const)], 'o:tag'],
    ['17 KB of variables', [...base, ['v:a', 'x'.repeat(17_000)]], '16 KB'],
    ['a reserved header', [...base, ['h:Bcc', 'x@y.example']], 'h:Bcc'],
    [
      'a thousand and one recipients',
      [...base, ['to', Array.from({ length: 1001 }, (_, at) => `a${at}@x.example`).join(',')]],
      'recipients',
    ],
  ])('refuses %s in Mailgun’s form', async (_, pairs, named) => {
    const sender = await openSender(credentials);
    const answer = await post(sender, pairs);
    expect([answer.status, answer.json]).toEqual([400, { message: expect.any(String) }]);
    expect((answer.json as { message: string }).message).toContain(named);
    expect(await sender.mails()).toEqual([]);
  });
});

describe('recipient variables', () => {
  it('make one mail for each recipient, who sees no other', async () => {
    const sender = await openSender(credentials);
    const to = ['a@x.example', 'b@x.example'];
    const variables = JSON.stringify({ 'a@x.example': { name: 'A' }, 'b@x.example': { name: 'B' } });
    await post(sender, [...without('to'), ['to', to.join(', ')], ['recipient-variables', variables]]);
    const mails = await sender.mails();
    expect(mails.map(({ rcptTo }) => rcptTo)).toEqual(to.map((one) => [one]));
    expect(mails.map(({ headers }) => headers['X-Mailgun-Recipient-Variables'])).toEqual([
      ['{"name":"A"}'],
      ['{"name":"B"}'],
    ]);
    expect(mails[0]?.raw).not.toContain('b@x.example');
  });
});

describe('a whole message', () => {
  const mime =
    'From: Shop <shop@example.org>\nTo: list@example.org\nBcc: secret@x.example,\n more@x.example\nSubject: Whole\nMessage-ID: <own@example.org>\n\nHi.\n';

  it('is stored as it is for the recipients of the call, with lines ended for SMTP and without Bcc', async () => {
    const sender = await openSender(credentials);
    const pairs: Pairs = [
      ['to', 'ann@shop.example'],
      ['message', new File([mime], 'mime.eml')],
      ['o:tag', 'a'],
    ];
    expect((await post(sender, pairs, `${path}.mime`)).status).toBe(200);
    const [mail] = await sender.mails();
    expect(mail).toMatchObject({
      Subject: 'Whole',
      Text: expect.stringContaining('Hi.'),
      rcptTo: ['ann@shop.example'],
      headers: { 'X-Mailgun-O-Tag': ['a'], 'Message-Id': ['<own@example.org>'] },
    });
    expect(mail?.raw).not.toMatch(/secret@|more@|[^\r]\n/);
  });

  it('is refused without a message or a sender', async () => {
    const sender = await openSender(credentials);
    const to = ['to', 'ann@shop.example'] as const;
    for (const pairs of [[to], [to, ['message', new File(['Subject: x\r\n\r\n'], 'm')] as const]]) {
      const answer = await post(sender, pairs, `${path}.mime`);
      expect([answer.status, answer.json]).toEqual([400, { message: expect.any(String) }]);
    }
  });
});

describe('header injection', () => {
  it.each(injections)('is impossible with %j', async (text) => {
    const sender = await openSender(credentials);
    for (const pairs of [
      [...without('subject'), ['subject', text]],
      [...without('from'), ['from', `"${text}" <a@b.example>`]],
      [...base, ['cc', `${text} <a@b.example>`]],
      [...base, ['h:X-A', text]],
      [...base, [`h:${text}`, 'a']],
      [...base, ['o:tag', text]],
      [...base, [`v:${text}`, text]],
      [...base, ['template', text]],
      [...base, ['attachment', new File(['abc'], text)]],
      [...base, [text, text]],
    ] as Pairs[]) {
      const form = new URLSearchParams(
        pairs.filter(([, value]) => typeof value === 'string') as [string, string][],
      );
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      await expectNoInjection(sender, await sender.post(path, form.toString(), type));
      await expectNoInjection(sender, await post(sender, pairs));
    }
  });
});

describe('credentials', () => {
  it('are refused in Mailgun’s form when wrong', async () => {
    const sender = await openSender(() => ({
      authorization: `Basic ${Buffer.from('api:wrong').toString('base64')}`,
    }));
    const answer = await post(sender, base);
    expect([answer.status, answer.json]).toEqual([401, { message: 'Invalid private key' }]);
  });
});
