// SendGrid's dialect: every documented field of POST /v3/mail/send, personalizations, limits and errors.

import { describe, expect, it } from 'vitest';

import { type FieldCase, expectNoInjection, injections, testFields } from './field-table.ts';
import { openSender } from './open-sender.ts';

const path = '/v3/mail/send';
const credentials = (token: string) => ({ authorization: `Bearer SG.${token}` });

const base = {
  personalizations: [{ to: [{ email: 'ann@shop.example', name: 'Ann' }] }],
  from: { email: 'shop@example.org', name: 'The Shop' },
  subject: 'Welcome',
  content: [{ type: 'text/plain', value: 'Hello.' }],
};
const [person] = base.personalizations;
const withPerson = (more: object): object => ({ ...base, personalizations: [{ ...person, ...more }] });
const file = { content: 'YWJj', filename: 'a.txt', type: 'text/plain' };
const error = (field: string | null) => ({
  status: 400,
  json: { errors: [expect.objectContaining({ field, message: expect.any(String) })] },
});

const cases: readonly FieldCase[] = [
  { field: 'from', body: base, mail: { From: { Name: 'The Shop', Address: 'shop@example.org' } } },
  { field: 'personalizations.to', body: base, mail: { To: [{ Name: 'Ann', Address: 'ann@shop.example' }] } },
  {
    field: 'personalizations.cc',
    body: withPerson({ cc: [{ email: 'c@x.example' }] }),
    mail: { Cc: [{ Address: 'c@x.example' }] },
  },
  {
    field: 'personalizations.bcc',
    body: withPerson({ bcc: [{ email: 'b@x.example' }] }),
    mail: { Bcc: [{ Address: 'b@x.example' }], raw: expect.not.stringContaining('b@x.example') },
  },
  {
    field: 'personalizations.from',
    body: withPerson({ from: { email: 'p@x.example' } }),
    mail: { From: { Address: 'p@x.example' } },
  },
  { field: 'personalizations.subject', body: withPerson({ subject: 'Own' }), mail: { Subject: 'Own' } },
  {
    field: 'personalizations.headers',
    body: withPerson({ headers: { 'X-Own': 'grün' } }),
    mail: { headers: { 'X-Own': ['grün'] } },
  },
  {
    field: 'personalizations.substitutions',
    body: withPerson({ substitutions: { '-a-': 'b' } }),
    shown: { 'X-Sendgrid-Substitutions': { '-a-': 'b' } },
  },
  {
    field: 'personalizations.dynamic_template_data',
    body: {
      ...withPerson({ dynamic_template_data: { code: '482913' } }),
      content: undefined,
      template_id: 'd-1',
    },
    mail: { Text: expect.stringContaining('"code": "482913"') },
    shown: { 'X-Sendgrid-Template-Id': 'd-1' },
  },
  {
    field: 'personalizations.custom_args',
    body: withPerson({ custom_args: { a: 'b' } }),
    shown: { 'X-Sendgrid-Custom-Args': { a: 'b' } },
  },
  {
    field: 'personalizations.send_at',
    body: withPerson({ send_at: 1_900_000_000 }),
    shown: { 'X-Sendgrid-Send-At': 1_900_000_000 },
  },
  {
    field: 'reply_to',
    body: { ...base, reply_to: { email: 'r@x.example' } },
    mail: { ReplyTo: [{ Address: 'r@x.example' }] },
  },
  {
    field: 'reply_to_list',
    body: { ...base, reply_to_list: [{ email: 'r@x.example' }, { email: 's@x.example', name: 'S' }] },
    mail: { ReplyTo: [{ Address: 'r@x.example' }, { Name: 'S' }] },
  },
  { field: 'subject', body: { ...base, subject: 'Grüße 😀' }, mail: { Subject: 'Grüße 😀' } },
  {
    field: 'content',
    body: {
      ...base,
      content: [
        ...base.content,
        { type: 'text/html', value: '<p>Hi</p>' },
        { type: 'text/x-amp-html', value: '<html ⚡4email>' },
      ],
    },
    mail: { Text: 'Hello.', HTML: '<p>Hi</p>', raw: expect.stringContaining('text/x-amp-html') },
  },
  {
    field: 'content of HTML alone',
    body: { ...base, content: [{ type: 'text/html', value: '<p>Hi</p>' }] },
    mail: { HTML: '<p>Hi</p>' },
  },
  {
    field: 'attachments',
    body: { ...base, attachments: [{ ...file, disposition: 'attachment' }] },
    mail: { Attachments: [{ FileName: 'a.txt', ContentType: 'text/plain', Size: 3 }] },
  },
  {
    field: 'attachments with a long name',
    body: { ...base, attachments: [{ ...file, filename: `Rechnung ${'長'.repeat(190)}.txt` }] },
    mail: {
      Attachments: [{ FileName: `Rechnung ${'長'.repeat(190)}.txt` }],
      raw: expect.not.stringMatching(/[^\r\n]{999}/),
    },
  },
  {
    field: 'attachments.content_id',
    body: {
      ...base,
      content: [{ type: 'text/html', value: '<img src="cid:pic">' }],
      attachments: [
        { ...file, filename: 'p.png', type: 'image/png', disposition: 'inline', content_id: 'pic' },
      ],
    },
    mail: { Inline: [{ FileName: 'p.png', ContentID: 'pic' }] },
  },
  { field: 'template_id', body: { ...base, template_id: 'd-1' }, shown: { 'X-Sendgrid-Template-Id': 'd-1' } },
  {
    field: 'sections',
    body: { ...base, sections: { ':a': 'b' } },
    shown: { 'X-Sendgrid-Sections': { ':a': 'b' } },
  },
  {
    field: 'headers',
    body: { ...base, headers: { 'List-Unsubscribe': '<https://x.example/off>' } },
    mail: { headers: { 'List-Unsubscribe': ['<https://x.example/off>'] } },
  },
  {
    field: 'categories',
    body: { ...base, categories: ['a', 'b'] },
    shown: { 'X-Sendgrid-Categories': ['a', 'b'] },
  },
  {
    field: 'custom_args',
    body: { ...base, custom_args: { a: 'b' } },
    shown: { 'X-Sendgrid-Custom-Args': { a: 'b' } },
  },
  {
    field: 'send_at',
    body: { ...base, send_at: 1_900_000_000 },
    shown: { 'X-Sendgrid-Send-At': 1_900_000_000 },
  },
  { field: 'batch_id', body: { ...base, batch_id: 'abc' }, shown: { 'X-Sendgrid-Batch-Id': 'abc' } },
  {
    field: 'asm',
    body: { ...base, asm: { group_id: 1, groups_to_display: [1, 2] } },
    shown: { 'X-Sendgrid-Asm': { group_id: 1, groups_to_display: [1, 2] } },
  },
  {
    field: 'ip_pool_name',
    body: { ...base, ip_pool_name: 'transactional' },
    shown: { 'X-Sendgrid-Ip-Pool-Name': 'transactional' },
  },
  {
    field: 'mail_settings',
    body: { ...base, mail_settings: { footer: { enable: true, text: 'x' } } },
    shown: { 'X-Sendgrid-Mail-Settings': { footer: { enable: true, text: 'x' } } },
  },
  {
    field: 'mail_settings.sandbox_mode',
    status: 200,
    body: { ...base, mail_settings: { sandbox_mode: { enable: true } } },
    shown: { 'X-Sendgrid-Mail-Settings': { sandbox_mode: { enable: true } } },
  },
  {
    field: 'tracking_settings',
    body: { ...base, tracking_settings: { click_tracking: { enable: true } } },
    shown: { 'X-Sendgrid-Tracking-Settings': { click_tracking: { enable: true } } },
  },
  {
    field: 'a field that is not documented',
    body: { ...base, new_thing: [1] },
    shown: { 'X-Sendgrid-New-Thing': [1] },
  },
  {
    field: 'a field within another that is not documented',
    body: { ...base, attachments: [{ ...file, new_thing: [1] }] },
    shown: { 'X-Sendgrid-Attachments-0-New-Thing': [1] },
  },
  { field: 'no from', body: { ...base, from: undefined }, refused: error('from.email') },
  {
    field: 'no personalizations',
    body: { ...base, personalizations: [] },
    refused: error('personalizations'),
  },
  { field: 'no to', body: { ...base, personalizations: [{}] }, refused: error('personalizations.0.to') },
  { field: 'no subject', body: { ...base, subject: undefined }, refused: error('subject') },
  { field: 'no content', body: { ...base, content: undefined }, refused: error('content') },
  {
    field: 'an address that is none',
    body: withPerson({ cc: [{ email: 'none' }] }),
    refused: error('personalizations.0.cc.0.email'),
  },
  {
    field: 'an address twice',
    body: withPerson({ cc: [{ email: 'ANN@shop.example' }] }),
    refused: error('personalizations.0'),
  },
  {
    field: 'a reserved header',
    body: { ...base, headers: { BCC: 'x@y.example' } },
    refused: error('headers.BCC'),
  },
  {
    field: 'a file that is not base64',
    body: { ...base, attachments: [{ ...file, content: '%%' }] },
    refused: error('attachments.0.content'),
  },
  {
    field: 'eleven categories',
    body: { ...base, categories: Array(11).fill('a') },
    refused: error('categories'),
  },
  {
    field: 'custom_args of more than 10,000 bytes',
    body: { ...base, custom_args: { a: 'x'.repeat(10_000) } },
    refused: error('custom_args'),
  },
  {
    field: 'substitutions of more than 10,000 bytes',
    body: withPerson({ substitutions: { a: 'ü'.repeat(5000) } }),
    refused: error('personalizations.0.substitutions'),
  },
  {
    field: 'a custom_arg that is no text',
    body: { ...base, custom_args: { a: 1 } },
    refused: error('custom_args'),
  },
  {
    field: 'asm without a group',
    body: { ...base, asm: { groups_to_display: [1] } },
    refused: error('asm.group_id'),
  },
  {
    field: 'asm with 26 groups',
    body: { ...base, asm: { group_id: 1, groups_to_display: Array.from({ length: 26 }, (_, at) => at) } },
    refused: error('asm.groups_to_display'),
  },
  {
    field: 'a header of SendGrid',
    body: { ...base, headers: { 'X-SG-EID': '1' } },
    refused: error('headers.X-SG-EID'),
  },
  { field: 'categories that are no list', body: { ...base, categories: 'a' }, refused: error('categories') },
  {
    field: 'a thousand and one recipients',
    body: {
      ...base,
      personalizations: Array.from({ length: 1001 }, (_, at) => ({ to: [{ email: `a${at}@x.example` }] })),
    },
    refused: error('personalizations'),
  },
];

describe('fields', () => {
  testFields({ path, credentials, status: 202, cases });
});

describe('personalizations', () => {
  it('make one mail each, with their own recipients, and X-Message-Id in their header', async () => {
    const sender = await openSender(credentials);
    const personalizations = ['a', 'b', 'c'].map((name) => ({
      to: [{ email: `${name}@x.example` }],
      bcc: [{ email: `hidden-${name}@x.example` }],
      subject: `For ${name}`,
      custom_args: { name },
    }));
    const answer = await sender.post(`/sendgrid${path}`, { ...base, personalizations });
    expect([answer.status, answer.text]).toEqual([202, '']);
    const mails = await sender.mails();
    expect(mails.map(({ Subject }) => Subject)).toEqual(['For a', 'For b', 'For c']);
    expect(mails.map(({ rcptTo }) => rcptTo)).toEqual(
      ['a', 'b', 'c'].map((name) => [`${name}@x.example`, `hidden-${name}@x.example`]),
    );
    for (const mail of mails) {
      expect(mail.headers['X-Sendgrid-Message-Id']?.[0]).toContain(String(answer.headers['x-message-id']));
    }
  });
});

describe('header injection', () => {
  it.each(injections)('is impossible with %j', async (text) => {
    const sender = await openSender(credentials);
    for (const body of [
      { ...base, subject: text },
      { ...base, from: { email: 'a@b.example', name: text } },
      { ...base, headers: { 'X-A': text } },
      { ...base, headers: { [text]: 'a' } },
      { ...base, categories: [text] },
      { ...base, custom_args: { [text]: text } },
      { ...base, [text]: text },
      { ...base, attachments: [{ ...file, filename: text }] },
      { ...base, attachments: [{ ...file, type: text }] },
      { ...base, attachments: [{ ...file, content_id: text, disposition: 'inline' }] },
      withPerson({ to: [{ email: text }] }),
      { ...base, content: [{ type: text, value: 'x' }] },
    ]) {
      await expectNoInjection(sender, await sender.post(path, body));
    }
  });
});

describe('credentials', () => {
  it('are refused in SendGrid’s form when wrong', async () => {
    const sender = await openSender(() => ({ authorization: `Bearer SG.mf_${'A'.repeat(43)}` }));
    const answer = await sender.post(path, base);
    expect([answer.status, answer.json]).toEqual([
      401,
      { errors: [{ message: expect.stringContaining('authorization'), field: null, help: null }] },
    ]);
  });
});
