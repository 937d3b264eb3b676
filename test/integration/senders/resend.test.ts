// Resend's dialect: every documented field of POST /emails, batches, limits and errors.

import { describe, expect, it } from 'vitest';

import { type FieldCase, expectNoInjection, injections, testFields } from './field-table.ts';
import { openSender } from './open-sender.ts';

const path = '/emails';
const credentials = (token: string) => ({ authorization: `Bearer re_${token}` });

const base = {
  from: 'Acme <onboarding@acme.example>',
  to: ['ann@shop.example'],
  subject: 'Hello',
  html: '<p>Hi</p>',
};
const file = { content: 'YWJj', filename: 'a.txt' };
const error = (name: string, message: unknown = expect.any(String)) => ({
  status: 422,
  json: { statusCode: 422, name, message },
});

const cases: readonly FieldCase[] = [
  { field: 'from', body: base, mail: { From: { Name: 'Acme', Address: 'onboarding@acme.example' } } },
  {
    field: 'from without a name',
    body: { ...base, from: 'a@acme.example' },
    mail: { From: { Address: 'a@acme.example' } },
  },
  {
    field: 'to',
    body: { ...base, to: ['a@x.example', 'Bea <b@x.example>'] },
    mail: { To: [{ Address: 'a@x.example' }, { Name: 'Bea', Address: 'b@x.example' }] },
  },
  {
    field: 'to as a string',
    body: { ...base, to: 'a@x.example' },
    mail: { To: [{ Address: 'a@x.example' }] },
  },
  { field: 'subject', body: { ...base, subject: 'Grüße 😀' }, mail: { Subject: 'Grüße 😀' } },
  {
    field: 'bcc',
    body: { ...base, bcc: 'b@x.example' },
    mail: { Bcc: [{ Address: 'b@x.example' }], raw: expect.not.stringContaining('b@x.example') },
  },
  { field: 'cc', body: { ...base, cc: ['c@x.example'] }, mail: { Cc: [{ Address: 'c@x.example' }] } },
  {
    field: 'scheduled_at',
    body: { ...base, scheduled_at: 'in 1 min' },
    shown: { 'X-Resend-Scheduled-At': 'in 1 min' },
  },
  {
    field: 'reply_to',
    body: { ...base, reply_to: ['r@x.example', 's@x.example'] },
    mail: { ReplyTo: [{ Address: 'r@x.example' }, { Address: 's@x.example' }] },
  },
  { field: 'html', body: base, mail: { HTML: '<p>Hi</p>' } },
  { field: 'text', body: { ...base, html: undefined, text: 'Hi ä' }, mail: { Text: 'Hi ä' } },
  {
    field: 'headers',
    body: { ...base, headers: { 'X-Entity-Ref-ID': '1' } },
    mail: { headers: { 'X-Entity-Ref-Id': ['1'] } },
  },
  {
    field: 'headers of Reply-To',
    body: { ...base, headers: { 'Reply-To': 'R <r@x.example>' } },
    mail: { ReplyTo: [{ Name: 'R', Address: 'r@x.example' }] },
  },
  { field: 'topic_id', body: { ...base, topic_id: 't-1' }, shown: { 'X-Resend-Topic-Id': 't-1' } },
  {
    field: 'attachments',
    body: { ...base, attachments: [{ ...file, content_type: 'text/plain' }] },
    mail: { Attachments: [{ FileName: 'a.txt', ContentType: 'text/plain', Size: 3 }] },
  },
  {
    field: 'attachments of bytes',
    body: { ...base, attachments: [{ ...file, content: { type: 'Buffer', data: [97, 98] } }] },
    mail: { Attachments: [{ FileName: 'a.txt', Size: 2 }] },
  },
  {
    field: 'attachments of thirty thousand numbers',
    body: { ...base, attachments: [{ ...file, content: Array(30_000).fill(7) }] },
    mail: { Attachments: [{ FileName: 'a.txt', Size: 30_000 }] },
  },
  {
    field: 'attachments.content_id',
    body: { ...base, attachments: [{ ...file, content_id: 'pic' }] },
    mail: { Inline: [{ ContentID: 'pic' }] },
  },
  {
    field: 'attachments without a content_type',
    body: { ...base, attachments: [{ content: 'YQ==', filename: 'Logo.PNG' }] },
    mail: { Attachments: [{ FileName: 'Logo.PNG', ContentType: 'image/png' }] },
  },
  {
    field: 'attachments.path',
    body: { ...base, attachments: [{ filename: 'a.txt', path: 'https://x.example/a.txt' }] },
    refused: error('invalid_attachment'),
  },
  {
    field: 'tags',
    body: { ...base, tags: [{ name: 'category', value: 'confirm' }] },
    shown: { 'X-Resend-Tags': [{ name: 'category', value: 'confirm' }] },
  },
  {
    field: 'template',
    body: { ...base, html: undefined, template: { id: 'order', variables: { code: '482913' } } },
    mail: { Text: expect.stringContaining('"code": "482913"') },
    shown: { 'X-Resend-Template-Id': 'order' },
  },
  {
    field: 'a field that is not documented',
    body: { ...base, new_thing: [1] },
    shown: { 'X-Resend-New-Thing': [1] },
  },
  {
    field: 'no from',
    body: { ...base, from: undefined },
    refused: error('missing_required_field', 'Missing `from` field.'),
  },
  { field: 'no to', body: { ...base, to: [] }, refused: error('missing_required_field') },
  { field: 'no subject', body: { ...base, subject: undefined }, refused: error('missing_required_field') },
  {
    field: 'no html and no text',
    body: { ...base, html: undefined },
    refused: error('missing_required_field'),
  },
  { field: 'a from that is none', body: { ...base, from: 'none' }, refused: error('invalid_from_address') },
  { field: 'a recipient that is none', body: { ...base, to: ['none'] }, refused: error('validation_error') },
  {
    field: 'fifty-one recipients',
    body: { ...base, to: Array.from({ length: 51 }, (_, at) => `a${at}@x.example`) },
    refused: error('validation_error'),
  },
  {
    field: 'tags of other characters',
    body: { ...base, tags: [{ name: 'a b', value: 'c' }] },
    refused: error('validation_error'),
  },
  {
    field: 'template and html',
    body: { ...base, template: { id: 'x' } },
    refused: error('validation_error'),
  },
];

describe('fields', () => {
  testFields({ path, credentials, status: 200, cases });
  testFields({
    path,
    credentials,
    status: 200,
    headers: { 'idempotency-key': 'welcome/1' },
    cases: [{ field: 'Idempotency-Key', body: base, shown: { 'X-Resend-Idempotency-Key': 'welcome/1' } }],
  });
});

describe('batch', () => {
  it('answers with an id for each mail, which is in its header', async () => {
    const sender = await openSender(credentials);
    const answer = await sender.post('/resend/emails/batch', [base, { ...base, subject: 'Second' }]);
    const ids = (answer.json as { data: { id: string }[] }).data.map(({ id }) => id);
    const mails = await sender.mails();
    expect(mails.map(({ Subject }) => Subject)).toEqual(['Hello', 'Second']);
    expect(mails.map(({ headers }) => headers['X-Resend-Message-Id']?.[0])).toEqual(ids);
  });

  it('stores nothing when one mail is wrong, unless it is permissive', async () => {
    const sender = await openSender(credentials);
    const batch = [base, { ...base, to: 'none' }];
    expect((await sender.post('/emails/batch', batch)).status).toBe(422);
    expect(await sender.mails()).toEqual([]);
    const answer = await sender.post('/emails/batch', batch, { 'x-batch-validation': 'permissive' });
    expect(answer.json).toEqual({
      data: [{ id: expect.any(String) }],
      errors: [{ index: 1, message: expect.stringContaining('`to`') }],
    });
    expect(await sender.mails()).toHaveLength(1);
  });

  it('refuses more than a hundred, attachments and schedules', async () => {
    const sender = await openSender(credentials);
    for (const batch of [
      Array(101).fill(base),
      [{ ...base, attachments: [file] }],
      [{ ...base, scheduled_at: 'in 1 min' }],
      [],
      base,
    ]) {
      const answer = await sender.post('/emails/batch', batch);
      expect([answer.status, answer.json]).toEqual([
        422,
        expect.objectContaining({ name: 'validation_error' }),
      ]);
    }
    expect(await sender.mails()).toEqual([]);
  });
});

describe('header injection', () => {
  it.each(injections)('is impossible with %j', async (text) => {
    const sender = await openSender(credentials);
    for (const body of [
      { ...base, subject: text },
      { ...base, from: `${text} <a@b.example>` },
      { ...base, from: `"${text}" <a@b.example>` },
      { ...base, from: `=?utf-8?B?${Buffer.from(text).toString('base64')}?= <a@b.example>` },
      { ...base, to: [text] },
      { ...base, headers: { 'X-A': text } },
      { ...base, headers: { [text]: 'a' } },
      { ...base, scheduled_at: text },
      { ...base, topic_id: text },
      { ...base, tags: [{ name: text, value: text }] },
      { ...base, [text]: text },
      { ...base, attachments: [{ ...file, filename: text }] },
      { ...base, attachments: [{ ...file, content_type: text }] },
      { ...base, attachments: [{ ...file, content_id: text }] },
    ]) {
      await expectNoInjection(sender, await sender.post(path, body));
    }
  });
});
