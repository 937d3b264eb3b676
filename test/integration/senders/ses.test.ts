// The dialect of Amazon SES: every documented field of its sending APIs, versions 1 and 2, limits and errors.

import { describe, expect, it } from 'vitest';

import { type FieldCase, expectNoInjection, injections, testFields } from './field-table.ts';
import { openSender, type SenderFixture } from './open-sender.ts';

const path = '/v2/email/outbound-emails';
const bulkPath = '/v2/email/outbound-bulk-emails';
const credentials = (token: string) => ({
  authorization: `AWS4-HMAC-SHA256 Credential=${token}/20261126/eu-west-1/ses/aws4_request, SignedHeaders=host, Signature=00`,
});

const simple = { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'Hi.' } } };
const base = {
  FromEmailAddress: 'Shop <shop@example.org>',
  Destination: { ToAddresses: ['ann@shop.example'] },
  Content: { Simple: simple },
};
const withSimple = (more: object): object => ({ ...base, Content: { Simple: { ...simple, ...more } } });
const withTemplate = (template: object): object => ({ ...base, Content: { Template: template } });
const withTo = (more: object): object => ({ ...base, Destination: { ...base.Destination, ...more } });
const mime = 'From: Shop <shop@example.org>\nTo: ann@shop.example\nBcc: b@x.example\nSubject: Raw\n\nHi.\n';
const raw = { Content: { Raw: { Data: Buffer.from(mime).toString('base64') } } };
const file = { RawContent: 'YWJj', FileName: 'a.txt', ContentType: 'text/plain' };
const error = (message: unknown = expect.any(String)) => ({ status: 400, json: { message } });
const tags = [{ Name: 'a', Value: 'b' }];

const cases: readonly FieldCase[] = [
  { field: 'FromEmailAddress', body: base, mail: { From: { Name: 'Shop', Address: 'shop@example.org' } } },
  {
    field: 'FromEmailAddress with an encoded name',
    body: { ...base, FromEmailAddress: '=?utf-8?B?R3LDvMOfZQ==?= <a@b.example>' },
    mail: { From: { Name: 'Grüße', Address: 'a@b.example' } },
  },
  {
    field: 'FromEmailAddressIdentityArn',
    body: { ...base, FromEmailAddressIdentityArn: 'arn:a' },
    shown: { 'X-Ses-From-Email-Address-Identity-Arn': 'arn:a' },
  },
  { field: 'Destination.ToAddresses', body: base, mail: { To: [{ Address: 'ann@shop.example' }] } },
  {
    field: 'Destination.CcAddresses',
    body: withTo({ CcAddresses: ['c@x.example'] }),
    mail: { Cc: [{ Address: 'c@x.example' }] },
  },
  {
    field: 'Destination.BccAddresses',
    body: withTo({ BccAddresses: ['b@x.example'] }),
    mail: { Bcc: [{ Address: 'b@x.example' }], raw: expect.not.stringContaining('b@x.example') },
  },
  {
    field: 'ReplyToAddresses',
    body: { ...base, ReplyToAddresses: ['r@x.example'] },
    mail: { ReplyTo: [{ Address: 'r@x.example' }] },
  },
  {
    field: 'FeedbackForwardingEmailAddress',
    body: { ...base, FeedbackForwardingEmailAddress: 'f@x.example' },
    shown: { 'X-Ses-Feedback-Forwarding-Email-Address': 'f@x.example' },
  },
  {
    field: 'FeedbackForwardingEmailAddressIdentityArn',
    body: { ...base, FeedbackForwardingEmailAddressIdentityArn: 'arn:f' },
    shown: { 'X-Ses-Feedback-Forwarding-Email-Address-Identity-Arn': 'arn:f' },
  },
  {
    field: 'Content.Simple.Subject',
    body: withSimple({ Subject: { Data: 'Grüße 😀', Charset: 'UTF-8' } }),
    mail: { Subject: 'Grüße 😀' },
  },
  {
    field: 'Content.Simple.Subject.Charset',
    body: withSimple({ Subject: { Data: 'x', Charset: 'ISO-8859-1' } }),
    shown: { 'X-Ses-Charsets': ['ISO-8859-1'] },
  },
  {
    field: 'Content.Simple.Body',
    body: withSimple({ Body: { Text: { Data: 'T' }, Html: { Data: '<p>H</p>' } } }),
    mail: { Text: 'T', HTML: '<p>H</p>' },
  },
  {
    field: 'Content.Simple.Headers',
    body: withSimple({ Headers: [{ Name: 'X-A', Value: '1' }] }),
    mail: { headers: { 'X-A': ['1'] } },
  },
  {
    field: 'Content.Simple.Attachments',
    body: withSimple({
      Attachments: [{ ...file, ContentDescription: 'A file', ContentTransferEncoding: 'BASE64' }],
    }),
    mail: {
      Attachments: [{ FileName: 'a.txt', ContentType: 'text/plain', Size: 3 }],
      raw: expect.stringContaining('Content-Description: A file'),
    },
  },
  {
    field: 'Content.Simple.Attachments inline',
    body: withSimple({
      Body: { Html: { Data: '<img src="cid:p">' } },
      Attachments: [{ ...file, ContentDisposition: 'INLINE', ContentId: 'p' }],
    }),
    mail: { Inline: [{ ContentID: 'p' }] },
  },
  {
    field: 'Content.Raw',
    body: raw,
    mail: {
      Subject: 'Raw',
      rcptTo: ['ann@shop.example', 'b@x.example'],
      raw: expect.not.stringContaining('b@x.example'),
    },
  },
  {
    field: 'Content.Raw with a Destination',
    body: { ...raw, Destination: { ToAddresses: ['d@x.example'] } },
    mail: { rcptTo: ['d@x.example'] },
  },
  {
    field: 'Content.Raw with EmailTags',
    body: { ...raw, EmailTags: tags },
    shown: { 'X-Ses-Email-Tags': tags },
  },
  {
    field: 'Content.Template.TemplateName',
    body: withTemplate({ TemplateName: 'code', TemplateData: '{"code":"482913"}' }),
    mail: { Text: expect.stringContaining('"code": "482913"') },
    shown: { 'X-Ses-Template-Name': 'code' },
  },
  {
    field: 'Content.Template.TemplateArn',
    body: withTemplate({ TemplateArn: 'arn:t' }),
    shown: { 'X-Ses-Template-Name': 'arn:t' },
  },
  {
    field: 'Content.Template.TemplateContent',
    body: withTemplate({
      TemplateContent: { Subject: 'S {{a}}', Text: 'T {{a}}', Html: '<p>{{a}}</p>' },
      TemplateData: '{"a":1}',
    }),
    mail: { Subject: 'S {{a}}', Text: 'T {{a}}', HTML: '<p>{{a}}</p>' },
    shown: { 'X-Ses-Template-Data': { a: 1 } },
  },
  { field: 'EmailTags', body: { ...base, EmailTags: tags }, shown: { 'X-Ses-Email-Tags': tags } },
  {
    field: 'ConfigurationSetName',
    body: { ...base, ConfigurationSetName: 'set' },
    shown: { 'X-Ses-Configuration-Set-Name': 'set' },
  },
  { field: 'EndpointId', body: { ...base, EndpointId: 'e' }, shown: { 'X-Ses-Endpoint-Id': 'e' } },
  { field: 'TenantName', body: { ...base, TenantName: 't' }, shown: { 'X-Ses-Tenant-Name': 't' } },
  {
    field: 'ListManagementOptions',
    body: { ...base, ListManagementOptions: { ContactListName: 'l' } },
    shown: { 'X-Ses-List-Management-Options': { ContactListName: 'l' } },
  },
  {
    field: 'a field that is not documented',
    body: { ...base, NewThing: [1] },
    shown: { 'X-Ses-New-Thing': [1] },
  },
  { field: 'no Content', body: { ...base, Content: undefined }, refused: error() },
  { field: 'no recipient', body: { ...base, Destination: {} }, refused: error() },
  { field: 'no sender', body: { ...base, FromEmailAddress: undefined }, refused: error() },
  {
    field: 'a sender that is none',
    body: { ...base, FromEmailAddress: 'none' },
    refused: error('Illegal address'),
  },
  {
    field: 'fifty-one recipients',
    body: withTo({ BccAddresses: Array.from({ length: 50 }, (_, at) => `a${at}@x.example`) }),
    refused: error('Recipient count exceeds 50.'),
  },
  { field: 'raw data that is no base64', body: { Content: { Raw: { Data: '%%' } } }, refused: error() },
  {
    field: 'template data that is no JSON',
    body: withTemplate({ TemplateName: 'a', TemplateData: '{' }),
    refused: error(),
  },
  { field: 'EmailTags that are no tags', body: { ...base, EmailTags: ['a'] }, refused: error() },
  {
    field: 'EmailTags of other characters',
    body: { ...base, EmailTags: [{ Name: 'a b', Value: 'ü' }] },
    refused: error(),
  },
  { field: 'EmailTags that are no list', body: { ...base, EmailTags: 'a' }, refused: error() },
];

describe('SendEmail of version 2', () => {
  testFields({ path, credentials, status: 200, cases });

  it('names errors in a header field, as AWS’s clients read them', async () => {
    const sender = await openSender(credentials);
    const answer = await sender.post(`/ses${path}`, {});
    expect([answer.status, answer.headers['x-amzn-errortype']]).toEqual([400, 'BadRequestException']);
    const stranger = await openSender(() => ({
      authorization: 'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261126/eu-west-1/ses/aws4_request',
    }));
    const wrong = await stranger.post(path, base);
    expect([wrong.status, wrong.headers['x-amzn-errortype']]).toEqual([403, 'UnrecognizedClientException']);
  });
});

describe('SendBulkEmail of version 2', () => {
  it('makes one mail for each entry, with its own data, and says what is wrong with the others', async () => {
    const sender = await openSender(credentials);
    const answer = await sender.post(bulkPath, {
      FromEmailAddress: 'shop@example.org',
      ReplyToAddresses: ['r@x.example'],
      DefaultEmailTags: tags,
      ConfigurationSetName: 'set',
      DefaultContent: {
        Template: {
          TemplateName: 'code',
          TemplateData: '{"code":"000000"}',
          Headers: [{ Name: 'X-A', Value: '1' }],
        },
      },
      BulkEmailEntries: [
        { Destination: { ToAddresses: ['a@x.example'] } },
        { Destination: { ToAddresses: ['none'] } },
        {
          Destination: { ToAddresses: ['b@x.example'], BccAddresses: ['h@x.example'] },
          ReplacementTags: [{ Name: 'c', Value: 'd' }],
          ReplacementHeaders: [{ Name: 'X-A', Value: '2' }],
          ReplacementEmailContent: { ReplacementTemplate: { ReplacementTemplateData: '{"code":"482913"}' } },
        },
      ],
    });
    expect(answer.json).toEqual({
      BulkEmailEntryResults: [
        { Status: 'SUCCESS', MessageId: expect.any(String) },
        { Status: 'MESSAGE_REJECTED', Error: 'Illegal address' },
        { Status: 'SUCCESS', MessageId: expect.any(String) },
      ],
    });
    expect(await sender.mails()).toMatchObject([
      {
        rcptTo: ['a@x.example'],
        Text: expect.stringContaining('000000'),
        headers: { 'X-A': ['1'] },
        ReplyTo: [{ Address: 'r@x.example' }],
      },
      {
        rcptTo: ['b@x.example', 'h@x.example'],
        Text: expect.stringContaining('482913'),
        headers: {
          'X-A': ['2'],
          'X-Ses-Replacement-Tags': ['[{"Name":"c","Value":"d"}]'],
          'X-Ses-Configuration-Set-Name': ['set'],
        },
      },
    ]);
  });
});

const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };

function query(sender: SenderFixture, given: Readonly<Record<string, string>>, at = '/') {
  return sender.post(at, new URLSearchParams({ Version: '2010-12-01', ...given }).toString(), form);
}

describe('version 1', () => {
  const call = {
    Action: 'SendEmail',
    Source: 'Shop <shop@example.org>',
    'Destination.ToAddresses.member.1': 'ann@shop.example',
    'Destination.ToAddresses.member.2': 'b@x.example',
    'Destination.BccAddresses.member.1': 'h@x.example',
    'Message.Subject.Data': 'Grüße',
    'Message.Subject.Charset': 'UTF-8',
    'Message.Body.Text.Data': 'T',
    'Message.Body.Html.Data': '<p>H</p>',
    'ReplyToAddresses.member.1': 'r@x.example',
    ReturnPath: 'f@x.example',
    ReturnPathArn: 'arn:r',
    SourceArn: 'arn:s',
    'Tags.member.1.Name': 'a',
    'Tags.member.1.Value': 'b',
    ConfigurationSetName: 'set',
  };

  it.each(['/', '/ses', '/ses/'])('keeps every field of SendEmail at %s', async (at) => {
    const sender = await openSender(credentials);
    const answer = await query(sender, call, at);
    const [, id] = /<SendEmailResult><MessageId>(.*)<\/MessageId><\/SendEmailResult>/.exec(answer.text) ?? [];
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/xml']);
    expect(await sender.mails()).toMatchObject([
      {
        From: { Name: 'Shop', Address: 'shop@example.org' },
        To: [{ Address: 'ann@shop.example' }, { Address: 'b@x.example' }],
        Bcc: [{ Address: 'h@x.example' }],
        Subject: 'Grüße',
        Text: 'T',
        HTML: '<p>H</p>',
        ReplyTo: [{ Address: 'r@x.example' }],
        headers: {
          'X-Ses-Message-Id': [id],
          'X-Ses-Feedback-Forwarding-Email-Address': ['f@x.example'],
          'X-Ses-Return-Path-Arn': ['arn:r'],
          'X-Ses-From-Email-Address-Identity-Arn': ['arn:s'],
          'X-Ses-Email-Tags': ['[{"Name":"a","Value":"b"}]'],
          'X-Ses-Configuration-Set-Name': ['set'],
        },
      },
    ]);
  });

  it('takes SendRawEmail, with its recipients or those of the message', async () => {
    const sender = await openSender(credentials);
    const data = { Action: 'SendRawEmail', 'RawMessage.Data': Buffer.from(mime).toString('base64') };
    expect((await query(sender, data)).text).toContain('<SendRawEmailResult><MessageId>');
    await query(sender, { ...data, 'Destinations.member.1': 'd@x.example', Source: 'bounce@example.org' });
    expect(await sender.mails()).toMatchObject([
      { Subject: 'Raw', rcptTo: ['ann@shop.example', 'b@x.example'] },
      { Subject: 'Raw', rcptTo: ['d@x.example'] },
    ]);
  });

  it('takes templates, in bulk too', async () => {
    const sender = await openSender(credentials);
    const { Source } = call;
    const template = { Source, Template: 'code' };
    await query(sender, {
      ...template,
      Action: 'SendTemplatedEmail',
      TemplateData: '{"code":"1"}',
      'Destination.ToAddresses.member.1': 'a@x.example',
    });
    const answer = await query(sender, {
      ...template,
      Action: 'SendBulkTemplatedEmail',
      DefaultTemplateData: '{"code":"2"}',
      'Destinations.member.1.Destination.ToAddresses.member.1': 'b@x.example',
      'Destinations.member.2.Destination.ToAddresses.member.1': 'none',
      'Destinations.member.3.Destination.ToAddresses.member.1': 'c@x.example',
      'Destinations.member.3.ReplacementTemplateData': '{"code":"3"}',
    });
    expect(answer.text).toMatch(
      /<Status>Success<\/Status>.*<Status>MessageRejected<\/Status>.*<Status>Success<\/Status>/,
    );
    expect(await sender.mails()).toMatchObject([
      { rcptTo: ['a@x.example'], Text: expect.stringContaining('"1"') },
      { rcptTo: ['b@x.example'], Text: expect.stringContaining('"2"') },
      { rcptTo: ['c@x.example'], Text: expect.stringContaining('"3"') },
    ]);
  });

  it.each([
    [{ Action: 'Nothing' }, 'InvalidAction'],
    [{ ...call, Source: 'none' }, 'InvalidParameterValue'],
    [{ ...call, Source: '' }, 'ValidationError'],
    [{ ...call, 'Message.Subject.Data': 'a\r\nBcc: x@y.example' }, 'InvalidParameterValue'],
    [{ Action: 'SendRawEmail', 'RawMessage.Data': Buffer.from('x').toString('base64') }, 'MessageRejected'],
  ])('refuses %j as XML', async (given, code) => {
    const sender = await openSender(credentials);
    const answer = await query(sender, given);
    expect([answer.status, answer.headers['content-type']]).toEqual([400, 'text/xml']);
    expect(answer.text).toContain(`<Code>${code}</Code>`);
    expect(await sender.mails()).toEqual([]);
  });
});

it.each([
  [{ Action: 'SendRawEmail' }, 'RawMessage.Data'],
  [{ Action: 'SendTemplatedEmail', Source: 'a@x.example', Template: 'x' }, 'Destination'],
])('names in version 1 the member of %j that is missing', async (given, member) => {
  const sender = await openSender(credentials);
  const answer = await sender.post('/', new URLSearchParams(given as Record<string, string>).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });
  expect(answer.text).toContain(`Value null at '${member}' failed`);
});

describe('header injection', () => {
  it.each(injections)('is impossible with %j', async (text) => {
    const sender = await openSender(credentials);
    for (const body of [
      withSimple({ Subject: { Data: text } }),
      withSimple({ Headers: [{ Name: 'X-A', Value: text }] }),
      withSimple({ Headers: [{ Name: text, Value: 'a' }] }),
      withSimple({ Attachments: [{ ...file, FileName: text }] }),
      withSimple({ Attachments: [{ ...file, ContentType: text }] }),
      withSimple({ Attachments: [{ ...file, ContentId: text }] }),
      withSimple({ Attachments: [{ ...file, ContentDescription: text }] }),
      withSimple({ Subject: { Data: 'x', Charset: text } }),
      withTemplate({ TemplateName: text }),
      { ...base, FromEmailAddress: `"${text}" <a@b.example>` },
      { ...base, ConfigurationSetName: text },
      { ...base, EmailTags: [{ Name: text, Value: text }] },
      { ...base, [text]: text },
      { ...raw, ConfigurationSetName: text },
    ]) {
      await expectNoInjection(sender, await sender.post(path, body));
    }
  });
});
