// Brevo's dialect: every documented field of POST /v3/smtp/email, versions, limits and errors.

import { describe, expect, it } from 'vitest';

import { type FieldCase, expectNoInjection, injections, testFields } from './field-table.ts';
import { openSender } from './open-sender.ts';

const path = '/v3/smtp/email';
const credentials = (token: string) => ({ 'api-key': `xkeysib-${token}` });

const base = {
  sender: { name: 'Shop', email: 'shop@example.org' },
  to: [{ email: 'ann@shop.example', name: 'Ann' }],
  subject: 'Hello',
  htmlContent: '<p>Hi</p>',
};
const file = { content: 'YWJj', name: 'a.txt' };
const error = (code: string) => ({ status: 400, json: { code, message: expect.any(String) } });

const cases: readonly FieldCase[] = [
  { field: 'sender', body: base, mail: { From: { Name: 'Shop', Address: 'shop@example.org' } } },
  { field: 'sender.id', body: { ...base, sender: { id: 2 } }, refused: error('invalid_parameter') },
  { field: 'to', body: base, mail: { To: [{ Name: 'Ann', Address: 'ann@shop.example' }] } },
  {
    field: 'bcc',
    body: { ...base, bcc: [{ email: 'b@x.example' }] },
    mail: { Bcc: [{ Address: 'b@x.example' }], raw: expect.not.stringContaining('b@x.example') },
  },
  {
    field: 'cc',
    body: { ...base, cc: [{ email: 'c@x.example' }] },
    mail: { Cc: [{ Address: 'c@x.example' }] },
  },
  {
    field: 'to.contactPixelTrackingConsent',
    body: { ...base, to: [{ email: 'a@x.example', contactPixelTrackingConsent: false }] },
    shown: { 'X-Brevo-To-0-Contact-Pixel-Tracking-Consent': false },
  },
  {
    field: 'to.contactPixelTrackingConsent that is neither true nor false',
    body: { ...base, to: [{ email: 'a@x.example', contactPixelTrackingConsent: 'yes' }] },
    refused: error('invalid_parameter'),
  },
  {
    field: 'sender.id beside an address',
    body: { ...base, sender: { id: 2, email: 'a@x.example' } },
    shown: { 'X-Brevo-Sender-Id': 2 },
  },
  { field: 'htmlContent', body: base, mail: { HTML: '<p>Hi</p>' } },
  {
    field: 'textContent',
    body: { ...base, htmlContent: undefined, textContent: 'Hi ä' },
    mail: { Text: 'Hi ä' },
  },
  { field: 'subject', body: { ...base, subject: 'Grüße 😀' }, mail: { Subject: 'Grüße 😀' } },
  {
    field: 'replyTo',
    body: { ...base, replyTo: { email: 'r@x.example', name: 'R' } },
    mail: { ReplyTo: [{ Name: 'R', Address: 'r@x.example' }] },
  },
  {
    field: 'attachment.content',
    body: { ...base, attachment: [file] },
    mail: { Attachments: [{ FileName: 'a.txt', Size: 3 }] },
  },
  {
    field: 'attachment.url',
    body: { ...base, attachment: [{ url: 'https://x.example/a.txt' }] },
    refused: error('invalid_parameter'),
  },
  {
    field: 'headers',
    body: { ...base, headers: { 'X-Mailin-custom': 'a:b', idempotencyKey: 'k' } },
    mail: { headers: { 'X-Mailin-Custom': ['a:b'], Idempotencykey: ['k'] } },
  },
  {
    field: 'templateId',
    body: { ...base, htmlContent: undefined, templateId: 12 },
    shown: { 'X-Brevo-Template-Id': 12 },
  },
  {
    field: 'templateId without a sender',
    body: { to: base.to, templateId: 12 },
    shown: { 'X-Brevo-Template-Id': 12 },
  },
  { field: 'params', body: { ...base, params: { a: 'b' } }, shown: { 'X-Brevo-Params': { a: 'b' } } },
  {
    field: 'params of a template',
    body: { ...base, htmlContent: undefined, templateId: 1, params: { code: '482913' } },
    mail: { Text: expect.stringContaining('"code": "482913"') },
  },
  { field: 'tags', body: { ...base, tags: ['a', 'b'] }, shown: { 'X-Brevo-Tags': ['a', 'b'] } },
  {
    field: 'scheduledAt',
    status: 202,
    body: { ...base, scheduledAt: '2026-12-01T12:00:00Z' },
    shown: { 'X-Brevo-Scheduled-At': '2026-12-01T12:00:00Z' },
  },
  {
    field: 'batchId',
    body: { ...base, batchId: '5c6cfa04-eed9-42c2-8b5c-6d470d978e9d' },
    shown: { 'X-Brevo-Batch-Id': '5c6cfa04-eed9-42c2-8b5c-6d470d978e9d' },
  },
  {
    field: 'a field that is not documented',
    body: { ...base, newThing: [1] },
    shown: { 'X-Brevo-New-Thing': [1] },
  },
  {
    field: 'scheduledAt that is no date',
    body: { ...base, scheduledAt: 'tomorrow' },
    refused: error('invalid_parameter'),
  },
  { field: 'no sender', body: { ...base, sender: undefined }, refused: error('missing_parameter') },
  { field: 'no to', body: { ...base, to: undefined }, refused: error('missing_parameter') },
  { field: 'no subject', body: { ...base, subject: undefined }, refused: error('missing_parameter') },
  { field: 'no content', body: { ...base, htmlContent: undefined }, refused: error('missing_parameter') },
  {
    field: 'an address that is none',
    body: { ...base, to: [{ email: 'none' }] },
    refused: error('invalid_parameter'),
  },
  {
    field: 'a hundred recipients',
    body: { ...base, to: Array.from({ length: 100 }, (_, at) => ({ email: `a${at}@x.example` })) },
    refused: error('invalid_parameter'),
  },
  {
    field: 'an unsupported file',
    body: { ...base, attachment: [{ ...file, name: 'a.exe' }] },
    refused: error('invalid_parameter'),
  },
  { field: 'tags that are no list', body: { ...base, tags: 'a' }, refused: error('invalid_parameter') },
];

describe('fields', () => {
  testFields({ path, credentials, status: 201, cases });
});

describe('messageVersions', () => {
  it('make one mail each, with what is their own in place of the call’s', async () => {
    const sender = await openSender(credentials);
    const answer = await sender.post(`/brevo${path}`, {
      ...base,
      to: undefined,
      cc: [{ email: 'c@x.example' }],
      bcc: [{ email: 'all@x.example' }],
      params: { a: 1 },
      messageVersions: [
        { to: [{ email: 'a@x.example' }], bcc: [{ email: 'h@x.example' }], params: { a: 2 } },
        {
          to: [{ email: 'b@x.example' }],
          subject: 'Own',
          htmlContent: '<p>Own</p>',
          replyTo: { email: 'r@x.example' },
        },
      ],
    });
    expect([answer.status, answer.json]).toEqual([
      201,
      { messageIds: [expect.stringMatching(/^<.+@example.org>$/), expect.stringMatching(/^<.+>$/)] },
    ]);
    const mails = await sender.mails();
    expect(mails).toMatchObject([
      {
        Subject: 'Hello',
        HTML: '<p>Hi</p>',
        rcptTo: ['a@x.example', 'c@x.example', 'h@x.example'],
        headers: { 'X-Brevo-Params': ['{"a":2}'] },
      },
      {
        Subject: 'Own',
        HTML: '<p>Own</p>',
        rcptTo: ['b@x.example', 'c@x.example', 'all@x.example'],
        ReplyTo: [{ Address: 'r@x.example' }],
      },
    ]);
    expect(mails.map(({ headers }) => headers['Message-Id']?.[0])).toEqual(
      (answer.json as { messageIds: string[] }).messageIds,
    );
  });
});

describe('header injection', () => {
  it.each(injections)('is impossible with %j', async (text) => {
    const sender = await openSender(credentials);
    for (const body of [
      { ...base, subject: text },
      { ...base, sender: { email: 'a@b.example', name: text } },
      { ...base, to: [{ email: text }] },
      { ...base, replyTo: { email: 'a@b.example', name: text } },
      { ...base, headers: { 'X-A': text } },
      { ...base, headers: { [text]: 'a' } },
      { ...base, tags: [text] },
      { ...base, params: { [text]: text } },
      { ...base, scheduledAt: text },
      { ...base, [text]: text },
      { ...base, attachment: [{ ...file, name: `${text}.txt` }] },
    ]) {
      await expectNoInjection(sender, await sender.post(path, body));
    }
  });
});

describe('credentials', () => {
  it('are refused in Brevo’s form when wrong', async () => {
    const sender = await openSender(() => ({ 'api-key': 'xkeysib-wrong' }));
    const answer = await sender.post(path, base);
    expect([answer.status, answer.json]).toEqual([401, { code: 'unauthorized', message: 'Key not found' }]);
  });
});
