// The official clients of senders for Node.js, unmodified, against the built service: each with the example of its own
// documentation and what else it can send.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runJavaScriptClient } from '../support/clients/published-clients.ts';
import { openSenderService, type SenderService } from '../support/clients/sender-service.ts';

let service: SenderService;

beforeAll(async () => {
  service = await openSenderService();
});

afterAll(() => service.close());

/** Runs a program with the base address and the key of a new inbox; resolves with its report and the mails. */
async function run(source: string, env: (token: string) => NodeJS.ProcessEnv = () => ({})) {
  const { token, mails } = await service.openInbox();
  const output = await runJavaScriptClient(source, [service.origin, token], env(token));
  return { report: JSON.parse(output) as Record<string, unknown>, mails: await mails() };
}

const start = 'const [origin, token] = process.argv.slice(2);\n';

describe('@sendgrid/mail', () => {
  it('sends the example, several at once and a template, and reports errors', async () => {
    const { report, mails } = await run(`
      import sgMail from '@sendgrid/mail';
      import client from '@sendgrid/client';
      ${start}
      client.setApiKey('SG.' + token);
      client.setDefaultRequest('baseUrl', origin + '/');
      sgMail.setClient(client);
      const msg = {
        to: 'test@example.com',
        from: 'test@example.com',
        subject: 'Sending with Twilio SendGrid is Fun',
        text: 'and easy to do anywhere, even with Node.js',
        html: '<strong>and easy to do anywhere, even with Node.js</strong>',
      };
      const [answer] = await sgMail.send(msg);
      const many = await sgMail.send({ ...msg, to: ['a@example.com', 'b@example.com'], isMultiple: true });
      client.setDefaultRequest('baseUrl', origin + '/sendgrid/');
      await sgMail.send({ ...msg, templateId: 'd-1', dynamicTemplateData: { code: '482913' }, categories: ['x'],
        attachments: [{ content: Buffer.from('abc').toString('base64'), filename: 'a.txt', type: 'text/plain', disposition: 'attachment' }] });
      const wrong = await sgMail.send({ ...msg, from: 'none' }).catch((error) => [error.code, error.response.body.errors[0].field]);
      client.setApiKey('SG.wrong');
      client.setDefaultRequest('baseUrl', origin + '/');
      const denied = await sgMail.send(msg).catch((error) => [error.code, error.response.body.errors[0].message.length > 0]);
      console.log(JSON.stringify({ status: answer.statusCode, id: answer.headers['x-message-id'], many: many.length, wrong, denied }));
    `);
    expect(report).toEqual({
      status: 202,
      id: expect.stringMatching(/^[\w.-]+$/),
      many: 2,
      wrong: [400, 'from.email'],
      denied: [401, true],
    });
    expect(mails).toMatchObject([
      {
        subject: 'Sending with Twilio SendGrid is Fun',
        text: expect.stringContaining('easy'),
        html: expect.stringContaining('<strong>'),
      },
      { envelope: { rcpt_to: ['a@example.com'] } },
      { envelope: { rcpt_to: ['b@example.com'] } },
      { attachments: [{ filename: 'a.txt', size: 3 }] },
    ]);
  });
});

describe('resend', () => {
  it('sends the example and a batch, by two environment variables, and reports errors', async () => {
    const { report, mails } = await run(
      `
      import { Resend } from 'resend';
      const resend = new Resend(process.env.RESEND_API_KEY);
      const { data, error } = await resend.emails.send({
        from: 'Acme <onboarding@resend.dev>',
        to: ['delivered@resend.dev'],
        subject: 'hello world',
        html: '<p>it works!</p>',
        replyTo: 'onboarding@resend.dev',
        scheduledAt: 'in 1 min',
        tags: [{ name: 'category', value: 'confirm_email' }],
        attachments: [{ filename: 'a.bin', content: Buffer.alloc(3_000_000, 'a') }, { filename: 'b.txt', content: 'YWJj', contentId: 'pic' }],
      }, { idempotencyKey: 'welcome-user/123456789' });
      const batch = await resend.batch.send([
        { from: 'Acme <onboarding@resend.dev>', to: ['foo@gmail.com'], subject: 'hello world', html: '<h1>it works!</h1>' },
        { from: 'Acme <onboarding@resend.dev>', to: ['bar@outlook.com'], subject: 'world hello', html: '<p>it works!</p>' },
      ]);
      const byPath = await resend.emails.send({ from: 'a@b.example', to: 'c@d.example', subject: 'x', text: 'x', attachments: [{ path: 'https://x.example/a' }] });
      const denied = await new Resend('re_wrong').emails.send({ from: 'a@b.example', to: 'c@d.example', subject: 'x', text: 'x' });
      console.log(JSON.stringify({ id: data.id, error, ids: batch.data.data.length, byPath: byPath.error, denied: denied.error }));
    `,
      (token) => ({ RESEND_API_KEY: `re_${token}`, RESEND_BASE_URL: service.origin }),
    );
    expect(report).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      error: null,
      ids: 2,
      byPath: { name: 'invalid_attachment', statusCode: 422 },
      denied: { name: 'invalid_api_key' },
    });
    expect(mails).toMatchObject([
      {
        subject: 'hello world',
        sender_name: 'Acme',
        attachments: [
          { filename: 'b.txt', size: 3 },
          { filename: 'a.bin', size: 3_000_000 },
        ],
        reply_to: [{ email: 'onboarding@resend.dev' }],
      },
      { envelope: { rcpt_to: ['foo@gmail.com'] } },
      { envelope: { rcpt_to: ['bar@outlook.com'] } },
    ]);
    expect(service.headersOf(mails[0])).toMatchObject({
      'x-resend-scheduled-at': 'in 1 min',
      'x-resend-idempotency-key': 'welcome-user/123456789',
      'x-resend-tags': '[{"name":"category","value":"confirm_email"}]',
    });
  });
});

describe('postmark', () => {
  it('sends the example, a batch and a template, and reports errors', async () => {
    const { report, mails } = await run(`
      import { ServerClient } from 'postmark';
      ${start}
      const client = new ServerClient(token, { useHttps: false, requestHost: origin.replace('http://', '') });
      const sent = await client.sendEmail({
        From: 'sender@example.org',
        To: 'recipient@example.org',
        Subject: 'Hello from Postmark',
        HtmlBody: '<strong>Hello</strong> dear Postmark user.',
        TextBody: 'Hello from Postmark!',
        MessageStream: 'broadcast',
      });
      const batch = await client.sendEmailBatch([
        { From: 'sender@example.org', To: 'a@example.org', Subject: 'A', TextBody: 'a', Bcc: 'h@example.org' },
        { From: 'sender@example.org', To: 'none', Subject: 'B', TextBody: 'b' },
      ]);
      const template = await client.sendEmailWithTemplate({ From: 'sender@example.org', To: 'a@example.org', TemplateAlias: 'welcome', TemplateModel: { code: '482913' } });
      const templates = await client.sendEmailBatchWithTemplates([{ From: 'sender@example.org', To: 'b@example.org', TemplateId: 1, TemplateModel: {} }]);
      const wrong = await client.sendEmail({ From: 'none', To: 'a@example.org', TextBody: 'x' }).catch((error) => [error.name, error.code, error.statusCode]);
      const denied = await new ServerClient('00000000-0000-0000-0000-000000000000', { useHttps: false, requestHost: origin.replace('http://', '') })
        .sendEmail({ From: 'a@b.example', To: 'a@b.example', TextBody: 'x' }).catch((error) => [error.name, error.code]);
      console.log(JSON.stringify({ sent, batch: batch.map((one) => one.ErrorCode), template: template.ErrorCode, templates: templates.length, wrong, denied }));
    `);
    expect(report).toEqual({
      sent: expect.objectContaining({ To: 'recipient@example.org', ErrorCode: 0, Message: 'OK' }),
      batch: [0, 300],
      template: 0,
      templates: 1,
      wrong: ['InvalidEmailRequestError', 300, 422],
      denied: ['InvalidAPIKeyError', 10],
    });
    expect(mails).toMatchObject([
      { subject: 'Hello from Postmark', html: expect.stringContaining('<strong>') },
      { envelope: { rcpt_to: ['a@example.org', 'h@example.org'] } },
      { text: expect.stringContaining('482913') },
      { envelope: { rcpt_to: ['b@example.org'] } },
    ]);
  });
});

describe('mailgun.js', () => {
  it('sends the example, files and a whole message, and reports errors', async () => {
    const { report, mails } = await run(`
      import FormData from 'form-data';
      import Mailgun from 'mailgun.js';
      ${start}
      const mailgun = new Mailgun(FormData);
      const mg = mailgun.client({ username: 'api', key: token, url: origin });
      const sent = await mg.messages.create('sandbox-123.mailgun.org', {
        from: 'Excited User <mailgun@sandbox-123.mailgun.org>',
        to: ['test@example.com'],
        subject: 'Hello',
        text: 'Testing some Mailgun awesomeness!',
        html: '<h1>Testing some Mailgun awesomeness!</h1>',
        attachment: [{ filename: 'a.txt', data: Buffer.from('abc') }],
        'o:tag': ['one', 'two'],
        'v:my-var': 'x',
      });
      const whole = await mg.messages.create('sandbox-123.mailgun.org', { to: 'a@example.com', message: 'From: s@example.org\\nSubject: Whole\\n\\nHi.\\n' });
      const fetching = new Mailgun(globalThis.FormData).client({ username: 'api', key: 'key-' + token, url: origin + '/mailgun', useFetch: true });
      const fetched = await fetching.messages.create('example.org', { from: 's@example.org', to: 'a@example.com', subject: 'Fetched', text: 'x' });
      const wrong = await mg.messages.create('example.org', { from: 's@example.org', to: 'none', text: 'x' }).catch((error) => [error.status, error.details]);
      const denied = await mailgun.client({ username: 'api', key: 'wrong', url: origin }).messages.create('example.org', { from: 's@example.org', to: 'a@b.example', text: 'x' }).catch((error) => error.status);
      console.log(JSON.stringify({ sent, whole: whole.status, fetched: fetched.status, wrong, denied }));
    `);
    expect(report).toEqual({
      sent: {
        id: expect.stringMatching(/^<.+@sandbox-123\.mailgun\.org>$/),
        message: 'Queued. Thank you.',
        status: 200,
      },
      whole: 200,
      fetched: 200,
      wrong: [400, expect.stringContaining("'to'")],
      denied: 401,
    });
    expect(mails).toMatchObject([
      { subject: 'Hello', sender_name: 'Excited User', attachments: [{ filename: 'a.txt', size: 3 }] },
      { subject: 'Whole', envelope: { rcpt_to: ['a@example.com'] } },
      { subject: 'Fetched' },
    ]);
  });
});

describe('@getbrevo/brevo', () => {
  it('sends the example and versions, and reports errors', async () => {
    const { report, mails } = await run(`
      import { BrevoClient } from '@getbrevo/brevo';
      ${start}
      const brevo = new BrevoClient({ apiKey: 'xkeysib-' + token, baseUrl: origin + '/v3', maxRetries: 0 });
      const mail = {
        subject: 'Hello',
        textContent: 'Hello world!',
        sender: { name: 'Sender', email: 'sender@example.com' },
        to: [{ email: 'recipient@example.com' }],
      };
      const sent = await brevo.transactionalEmails.sendTransacEmail(mail);
      const below = new BrevoClient({ apiKey: 'xkeysib-' + token, baseUrl: origin + '/brevo/v3', maxRetries: 0 });
      const versions = await below.transactionalEmails.sendTransacEmail({ ...mail, to: undefined,
        messageVersions: [{ to: [{ email: 'a@example.com' }] }, { to: [{ email: 'b@example.com' }], subject: 'Own' }] });
      const wrong = await brevo.transactionalEmails.sendTransacEmail({ ...mail, to: [{ email: 'none' }] }).catch((error) => [error.statusCode, error.body.code]);
      const denied = await new BrevoClient({ apiKey: 'wrong', baseUrl: origin + '/v3', maxRetries: 0 }).transactionalEmails.sendTransacEmail(mail).catch((error) => error.statusCode);
      console.log(JSON.stringify({ sent, versions, wrong, denied }));
    `);
    expect(report).toMatchObject({
      sent: { messageId: expect.stringMatching(/^<.+>$/) },
      versions: { messageIds: [expect.any(String), expect.any(String)] },
      wrong: [400, 'invalid_parameter'],
      denied: 401,
    });
    expect(mails.map(({ subject }) => subject)).toEqual(['Hello', 'Hello', 'Own']);
  });
});

describe('AWS SDK for SES', () => {
  it('sends by version 2, by two environment variables, and reports errors', async () => {
    const { report, mails } = await run(
      `
      import { SESv2Client, SendBulkEmailCommand, SendEmailCommand } from '@aws-sdk/client-sesv2';
      const client = new SESv2Client({ maxAttempts: 1 });
      const mail = {
        FromEmailAddress: 'sender@example.com',
        Destination: { ToAddresses: ['recipient@example.com'], BccAddresses: ['hidden@example.com'] },
        Content: { Simple: { Subject: { Data: 'Test email', Charset: 'UTF-8' }, Body: { Text: { Data: 'Hello' }, Html: { Data: '<p>Hello</p>' } },
          Attachments: [{ FileName: 'a.txt', RawContent: Buffer.from('abc'), ContentType: 'text/plain' }] } },
        EmailTags: [{ Name: 'a', Value: 'b' }],
      };
      const sent = await client.send(new SendEmailCommand(mail));
      const raw = await client.send(new SendEmailCommand({ Content: { Raw: { Data: Buffer.from('From: s@example.com\\nTo: r@example.com\\nSubject: Raw\\n\\nHi.\\n') } } }));
      const bulk = await client.send(new SendBulkEmailCommand({
        FromEmailAddress: 'sender@example.com',
        DefaultContent: { Template: { TemplateName: 'code', TemplateData: '{}' } },
        BulkEmailEntries: [{ Destination: { ToAddresses: ['a@example.com'] }, ReplacementEmailContent: { ReplacementTemplate: { ReplacementTemplateData: '{"code":"482913"}' } } }],
      }));
      const wrong = await client.send(new SendEmailCommand({ ...mail, FromEmailAddress: 'none' })).catch((error) => [error.name, error.message]);
      const denied = await new SESv2Client({ maxAttempts: 1, credentials: { accessKeyId: 'AKIAWRONG', secretAccessKey: 'x' } }).send(new SendEmailCommand(mail)).catch((error) => [error.name, error.$metadata.httpStatusCode]);
      console.log(JSON.stringify({ id: sent.MessageId, raw: raw.MessageId, bulk: bulk.BulkEmailEntryResults[0].Status, wrong, denied }));
    `,
      (token) => ({ AWS_ENDPOINT_URL_SESV2: service.origin, ...aws(token) }),
    );
    expect(report).toEqual({
      id: expect.stringMatching(/^0100/),
      raw: expect.stringMatching(/^0100/),
      bulk: 'SUCCESS',
      wrong: ['BadRequestException', 'Illegal address'],
      denied: ['UnrecognizedClientException', 403],
    });
    expect(mails).toMatchObject([
      {
        subject: 'Test email',
        attachments: [{ filename: 'a.txt', size: 3 }],
        envelope: { rcpt_to: ['recipient@example.com', 'hidden@example.com'] },
      },
      { subject: 'Raw' },
      { text: expect.stringContaining('482913') },
    ]);
  });

  it('sends by version 1, below a path too', async () => {
    const { report, mails } = await run(
      `
      import { SESClient, SendBulkTemplatedEmailCommand, SendEmailCommand, SendRawEmailCommand, SendTemplatedEmailCommand } from '@aws-sdk/client-ses';
      const client = new SESClient({ maxAttempts: 1 });
      const mail = {
        Source: 'sender@example.com',
        Destination: { ToAddresses: ['a@example.com', 'b@example.com'], CcAddresses: ['c@example.com'] },
        Message: { Subject: { Data: 'Test email' }, Body: { Html: { Data: '<p>Hello</p>' }, Text: { Data: 'Hello' } } },
        Tags: [{ Name: 'a', Value: 'b' }],
      };
      const sent = await client.send(new SendEmailCommand(mail));
      const raw = await client.send(new SendRawEmailCommand({ RawMessage: { Data: Buffer.from('From: s@example.com\\nTo: r@example.com\\nSubject: Raw\\n\\nHi.\\n') } }));
      const template = await client.send(new SendTemplatedEmailCommand({ Source: 's@example.com', Destination: { ToAddresses: ['a@example.com'] }, Template: 'code', TemplateData: '{"code":"1"}' }));
      const bulk = await client.send(new SendBulkTemplatedEmailCommand({ Source: 's@example.com', Template: 'code', DefaultTemplateData: '{}', Destinations: [{ Destination: { ToAddresses: ['a@example.com'] } }, { Destination: { ToAddresses: ['none'] } }] }));
      const wrong = await client.send(new SendEmailCommand({ ...mail, Source: 'none' })).catch((error) => [error.name, error.message]);
      console.log(JSON.stringify({ ids: [sent, raw, template].map((one) => one.MessageId.slice(0, 4)), bulk: bulk.Status.map((one) => one.Status), wrong }));
    `,
      (token) => ({ AWS_ENDPOINT_URL_SES: `${service.origin}/ses`, ...aws(token) }),
    );
    expect(report).toEqual({
      ids: ['0100', '0100', '0100'],
      bulk: ['Success', 'MessageRejected'],
      wrong: ['InvalidParameterValue', 'Illegal address'],
    });
    expect(mails.map(({ envelope }) => envelope.rcpt_to)).toEqual([
      ['a@example.com', 'b@example.com', 'c@example.com'],
      ['r@example.com'],
      ['a@example.com'],
      ['a@example.com'],
    ]);
  });
});

function aws(token: string): NodeJS.ProcessEnv {
  return { AWS_ACCESS_KEY_ID: token, AWS_SECRET_ACCESS_KEY: 'any', AWS_REGION: 'eu-west-1' };
}
