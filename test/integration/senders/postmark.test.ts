// Postmark's dialect: every documented field of its email API, templates, batches, limits and errors.

import { describe, expect, it } from 'vitest';

import { type FieldCase, expectNoInjection, injections, testFields } from './field-table.ts';
import { openSender } from './open-sender.ts';

const path = '/email';
const credentials = (token: string) => ({ 'x-postmark-server-token': token });

const base = { From: 'Shop <shop@example.org>', To: 'ann@shop.example', Subject: 'Hello', TextBody: 'Hi.' };
const file = { Name: 'a.txt', Content: 'YWJj', ContentType: 'text/plain' };
const error = (code: number) => ({ status: 422, json: { ErrorCode: code, Message: expect.any(String) } });

const cases: readonly FieldCase[] = [
  { field: 'From', body: base, mail: { From: { Name: 'Shop', Address: 'shop@example.org' } } },
  {
    field: 'To',
    body: { ...base, To: 'a@x.example, "B, C" <b@x.example>' },
    mail: { To: [{ Address: 'a@x.example' }, { Name: 'B, C', Address: 'b@x.example' }] },
  },
  { field: 'Cc', body: { ...base, Cc: 'c@x.example' }, mail: { Cc: [{ Address: 'c@x.example' }] } },
  {
    field: 'Bcc',
    body: { ...base, Bcc: 'b@x.example' },
    mail: { Bcc: [{ Address: 'b@x.example' }], raw: expect.not.stringContaining('b@x.example') },
  },
  { field: 'Subject', body: { ...base, Subject: 'Grüße 😀' }, mail: { Subject: 'Grüße 😀' } },
  { field: 'Tag', body: { ...base, Tag: 'Invitation' }, shown: { 'X-Postmark-Tag': 'Invitation' } },
  { field: 'HtmlBody', body: { ...base, HtmlBody: '<b>Hi</b>' }, mail: { HTML: '<b>Hi</b>', Text: 'Hi.' } },
  { field: 'TextBody', body: base, mail: { Text: 'Hi.' } },
  {
    field: 'ReplyTo',
    body: { ...base, ReplyTo: 'r@x.example, s@x.example' },
    mail: { ReplyTo: [{ Address: 'r@x.example' }, { Address: 's@x.example' }] },
  },
  {
    field: 'Headers',
    body: { ...base, Headers: [{ Name: 'X-A', Value: '1' }] },
    mail: { headers: { 'X-A': ['1'] } },
  },
  { field: 'TrackOpens', body: { ...base, TrackOpens: true }, shown: { 'X-Postmark-Track-Opens': true } },
  {
    field: 'TrackLinks',
    body: { ...base, TrackLinks: 'HtmlOnly' },
    shown: { 'X-Postmark-Track-Links': 'HtmlOnly' },
  },
  {
    field: 'Metadata',
    body: { ...base, Metadata: { color: 'blue' } },
    shown: { 'X-Postmark-Metadata-Color': 'blue' },
  },
  {
    field: 'Attachments',
    body: { ...base, Attachments: [file] },
    mail: { Attachments: [{ FileName: 'a.txt', ContentType: 'text/plain', Size: 3 }] },
  },
  {
    field: 'Attachments.ContentID',
    body: { ...base, HtmlBody: '<img src="cid:pic">', Attachments: [{ ...file, ContentID: 'cid:pic' }] },
    mail: { Inline: [{ ContentID: 'pic' }] },
  },
  {
    field: 'MessageStream',
    body: { ...base, MessageStream: 'outbound' },
    shown: { 'X-Postmark-Message-Stream': 'outbound' },
  },
  {
    field: 'a field that is not documented',
    body: { ...base, NewThing: [1] },
    shown: { 'X-Postmark-New-Thing': [1] },
  },
  { field: 'no From', body: { ...base, From: undefined }, refused: error(300) },
  { field: 'a To that is none', body: { ...base, To: 'none' }, refused: error(300) },
  { field: 'no recipient', body: { ...base, To: '' }, refused: error(300) },
  { field: 'no body', body: { ...base, TextBody: undefined }, refused: error(300) },
  {
    field: 'fifty-one recipients',
    body: { ...base, To: Array.from({ length: 51 }, (_, at) => `a${at}@x.example`).join(',') },
    refused: error(300),
  },
  {
    field: 'a forbidden file',
    body: { ...base, Attachments: [{ ...file, Name: 'a.exe' }] },
    refused: error(300),
  },
  { field: 'TrackLinks of another value', body: { ...base, TrackLinks: 'Some' }, refused: error(300) },
  { field: 'TrackOpens of another type', body: { ...base, TrackOpens: 'yes' }, refused: error(403) },
  { field: 'a body that is no JSON', body: '{', refused: error(402) },
];

const template = { From: base.From, To: base.To, TemplateId: 1234, TemplateModel: { code: '482913' } };
const templateCases: readonly FieldCase[] = [
  { field: 'TemplateId', body: template, shown: { 'X-Postmark-Template-Id': 1234 } },
  {
    field: 'TemplateAlias',
    body: { ...template, TemplateId: undefined, TemplateAlias: 'code' },
    shown: { 'X-Postmark-Template-Alias': 'code' },
  },
  { field: 'TemplateModel', body: template, mail: { Text: expect.stringContaining('"code": "482913"') } },
  { field: 'InlineCss', body: { ...template, InlineCss: false }, shown: { 'X-Postmark-Inline-Css': false } },
  { field: 'no template', body: { ...template, TemplateId: undefined }, refused: error(1101) },
  { field: 'no model', body: { ...template, TemplateModel: undefined }, refused: error(403) },
];

describe('fields', () => {
  testFields({ path, credentials, status: 200, cases });
  testFields({ path: '/email/withTemplate', credentials, status: 200, cases: templateCases });
});

describe('the answer', () => {
  it('names the recipients, and the id in the header of the mail', async () => {
    const sender = await openSender(credentials);
    const answer = await sender.post(`/postmark${path}`, { ...base, Cc: 'c@x.example' });
    expect(answer.json).toEqual({
      To: 'ann@shop.example',
      Cc: 'c@x.example',
      ErrorCode: 0,
      Message: 'OK',
      SubmittedAt: expect.any(String),
      MessageID: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const [mail] = await sender.mails();
    expect(mail?.headers['X-Postmark-Message-Id']).toEqual([
      (answer.json as { MessageID: string }).MessageID,
    ]);
  });
});

describe('batches', () => {
  it.each([
    ['/email/batch', (messages: readonly object[]) => messages, base],
    ['/email/batchWithTemplates', (Messages: readonly object[]) => ({ Messages }), template],
  ])('at %s store each mail that is right, and say what is wrong with the others', async (at, wrap, mail) => {
    const sender = await openSender(credentials);
    const answer = await sender.post(at, wrap([mail, { ...mail, To: 'none' }, mail]));
    expect([answer.status, answer.json]).toEqual([
      200,
      [
        expect.objectContaining({ ErrorCode: 0 }),
        { ErrorCode: 300, Message: expect.any(String) },
        expect.objectContaining({ ErrorCode: 0 }),
      ],
    ]);
    expect(await sender.mails()).toHaveLength(2);
  });

  it('have at most five hundred mails', async () => {
    const sender = await openSender(credentials);
    const answer = await sender.post('/email/batch', Array(501).fill(base));
    expect([answer.status, answer.json]).toEqual([422, expect.objectContaining({ ErrorCode: 410 })]);
  });
});

describe('header injection', () => {
  it.each(injections)('is impossible with %j', async (text) => {
    const sender = await openSender(credentials);
    for (const body of [
      { ...base, Subject: text },
      { ...base, From: `"${text}" <a@b.example>` },
      { ...base, To: `${text} <a@b.example>` },
      { ...base, ReplyTo: text },
      { ...base, Tag: text },
      { ...base, MessageStream: text },
      { ...base, Metadata: { [text]: text } },
      { ...base, Headers: [{ Name: text, Value: text }] },
      { ...base, Headers: [{ Name: 'X-A', Value: text }] },
      { ...base, [text]: text },
      { ...base, Attachments: [{ ...file, Name: text }] },
      { ...base, Attachments: [{ ...file, ContentType: text }] },
      { ...base, Attachments: [{ ...file, ContentID: text }] },
    ]) {
      await expectNoInjection(sender, await sender.post(path, body));
    }
  });
});

describe('credentials', () => {
  it('are refused in Postmark’s form when wrong', async () => {
    const sender = await openSender(() => ({
      'x-postmark-server-token': 'b1b1b1b1-0000-0000-0000-000000000000',
    }));
    const answer = await sender.post(path, base);
    expect([answer.status, answer.json]).toEqual([401, { ErrorCode: 10, Message: expect.any(String) }]);
  });
});
