// The calls whose documented fields are tried (sent-fields.ts), by client. Only what a type does not say is here: what
// else a field needs, and values where not every text will do.

import type { FieldSpec } from './sent-fields.ts';

const base64 = (mark: string): string => Buffer.from(mark).toString('base64');
const json = (mark: string): string => JSON.stringify({ mark });
const address = (mark: string): string => `${mark}@x.example`;
const rawMessage = (mark: string) => ({
  $bytes: `From: a@x.example\r\nTo: b@x.example\r\nSubject: ${mark}\r\n\r\nHi.\r\n`,
});
const [from, to] = ['a@x.example', 'b@x.example'];

const resend: FieldSpec = {
  name: 'Resend',
  file: 'resend/dist/index.d.mts',
  type: 'CreateEmailOptions',
  program: `
    import { Resend } from 'resend';
    const resend = new Resend(process.env.RESEND_API_KEY);
    await run(async (call) => {
      const { error } = await resend.emails.send(call);
      if (error) throw new Error(error.message);
    });`,
  env: (origin, token) => ({ RESEND_API_KEY: `re_${token}`, RESEND_BASE_URL: origin }),
  base: (field) => ({
    from,
    to,
    subject: 'Hello',
    ...(/^template/.test(field) ? { template: { id: 'order' } } : { text: 'Hi' }),
  }),
  around: {
    'attachments.0': { content: base64('abc'), filename: 'a.txt' },
    'tags.0': { name: 'a', value: 'b' },
  },
  values: [
    [/contentType$/, (mark) => `text/${mark}`],
    [/attachments\.0\.content$/, base64],
  ],
  // A component is rendered by the client; `filename: false` is for none.
  ignored: /^react$/,
  refused: ['attachments.0.filename: boolean', 'attachments.0.path: text'],
};

const postmarkProgram = (method: string): string => `
  import { ServerClient } from 'postmark';
  const client = new ServerClient(token, { useHttps: false, requestHost: origin.replace('http://', '') });
  await run((call) => client.${method}(call));`;

const postmark: Pick<FieldSpec, 'around' | 'values'> = {
  around: {
    'Headers.0': { Name: 'X-A', Value: 'b' },
    'Attachments.0': { Name: 'a.txt', Content: base64('abc'), ContentType: 'text/plain', ContentID: null },
  },
  values: [
    [/ContentType$/, (mark) => `text/${mark}`],
    [/\.Content$/, base64],
  ],
};

const postmarkMessage: FieldSpec = {
  ...postmark,
  name: 'Postmark',
  file: 'postmark/dist/client/models/message/Message.d.ts',
  type: 'Message',
  program: postmarkProgram('sendEmail'),
  base: () => ({ From: from, To: to, Subject: 'Hello', TextBody: 'Hi' }),
};

const postmarkTemplate: FieldSpec = {
  ...postmark,
  name: 'Postmark with a template',
  file: 'postmark/dist/client/models/templates/Template.d.ts',
  type: 'TemplatedMessage',
  program: postmarkProgram('sendEmailWithTemplate'),
  base: () => ({ From: from, To: to, TemplateId: 5, TemplateModel: {} }),
};

const sendgrid: FieldSpec = {
  name: 'SendGrid',
  file: '@sendgrid/helpers/classes/mail.d.ts',
  type: 'MailDataRequired',
  program: `
    import mail from '@sendgrid/mail';
    import client from '@sendgrid/client';
    client.setApiKey('SG.' + token);
    client.setDefaultRequest('baseUrl', origin + '/');
    mail.setClient(client);
    await run((call) => mail.send(call).catch((error) => {
      throw new Error(error.response?.body.errors[0].message ?? error.message);
    }));`,
  base: (field) => ({
    from,
    subject: 'Hello',
    ...(/^personalizations/.test(field) ? { personalizations: [{ to }] } : { to }),
    ...(/^content/.test(field) ? {} : { text: 'Hi' }),
    ...(/dynamicTemplateData/.test(field) ? { templateId: 'd-1' } : {}),
  }),
  around: {
    ...Object.fromEntries(
      ['to', 'cc', 'bcc', 'from', 'replyTo', 'replyToList'].flatMap((name) =>
        [name, `${name}.0`, `personalizations.0.${name}`, `personalizations.0.${name}.0`].map((one) => [
          one,
          { email: `other-${name.toLowerCase()}@x.example` },
        ]),
      ),
    ),
    'content.0': { type: 'text/plain', value: 'Hi' },
    'attachments.0': { content: base64('abc'), filename: 'a.txt', type: 'text/plain' },
    asm: { groupId: 1 },
  },
  values: [
    [/^attachments\.0\.content$/, base64],
    [/^attachments\.0\.type$|^content\.0\.type$/, (mark) => `text/${mark}`],
    [/disposition$/, () => 'inline'],
  ],
  // Options of the client, and what it refuses itself.
  ignored: /^(?:hideWarnings|isMultiple|replyToList\.(?:name|email)|substitutionWrappers\.0)$/,
  // Recipients that only the envelope has are shown without their names.
  dropped: ['bcc', 'bcc.0', 'personalizations.0.bcc', 'personalizations.0.bcc.0'].map(
    (one) => `${one}.name: text`,
  ),
};

const mailgun: FieldSpec = {
  name: 'Mailgun',
  file: 'mailgun.js/Types/Types/Messages/Messages.d.ts',
  type: 'MailgunMessageData',
  program: `
    import FormData from 'form-data';
    import Mailgun from 'mailgun.js';
    const client = new Mailgun(FormData).client({ username: 'api', key: token, url: origin });
    await run((call) => client.messages.create('x.example', call).catch((error) => { throw new Error(error.details); }));`,
  base: (field) => ({
    from,
    to,
    subject: 'Hello',
    ...(/^(?:template|t:)/.test(field) ? { template: 'order' } : { text: 'Hi' }),
    ...(field === 'message' ? { message: rawMessage('x') } : {}),
  }),
  around: {
    attachment: { data: { $bytes: 'abc' }, filename: 'a.txt' },
    'attachment.0': { data: { $bytes: 'abc' }, filename: 'a.txt' },
  },
  values: [
    [/^message$/, rawMessage],
    [/^inline$/, (mark) => ({ data: { $bytes: mark }, filename: 'a.txt' })],
    [/contentType$/, (mark) => `text/${mark}`],
    [/^t:variables$|^recipient-variables$/, (mark) => JSON.stringify({ [to]: { mark } })],
    [/^o:deliverytime$/, () => 'Fri, 14 Oct 2033 23:10:10 -0000'],
  ],
  // Any other parameter; the length of a stream, for the client.
  ignored: /^key|knownLength$|^attachment(?:\.0)?\.key$/,
  // The client's, for a list of texts.
  refused: ['attachment.0: text'],
};

const brevo: FieldSpec = {
  name: 'Brevo',
  file: '@getbrevo/brevo/dist/cjs/api/resources/transactionalEmails/client/requests/SendTransacEmailRequest.d.ts',
  type: 'SendTransacEmailRequest',
  program: `
    import { BrevoClient } from '@getbrevo/brevo';
    const brevo = new BrevoClient({ apiKey: 'xkeysib-' + token, baseUrl: origin + '/v3', maxRetries: 0 });
    await run((call) => brevo.transactionalEmails.sendTransacEmail(call));`,
  base: (field) => ({
    sender: { email: from },
    to: [{ email: to }],
    subject: 'Hello',
    textContent: 'Hi',
    ...(/^messageVersions/.test(field) ? { messageVersions: [{ to: [{ email: to }] }] } : {}),
  }),
  around: {
    ...Object.fromEntries(
      ['to.0', 'cc.0', 'bcc.0', 'replyTo'].flatMap((name) =>
        [name, `messageVersions.0.${name}`].map((one) => [one, { email: 'other@x.example' }]),
      ),
    ),
    sender: { email: from },
    'attachment.0': { name: 'a.txt', content: base64('abc') },
  },
  values: [
    [/^attachment\.0\.content$/, base64],
    [/^attachment\.0\.name$/, (mark) => `${mark}.txt`],
    [/^scheduledAt$/, () => '2033-12-01T10:00:00.000Z'],
  ],
  refused: ['attachment.0.url: text'],
  // Recipients that only the envelope has are shown without their names.
  dropped: ['bcc.0.name: text', 'messageVersions.0.bcc.0.name: text'],
};

const awsEnv: FieldSpec['env'] = (origin, token) => ({
  AWS_ENDPOINT_URL: origin,
  AWS_ACCESS_KEY_ID: token,
  AWS_SECRET_ACCESS_KEY: 'any',
  AWS_REGION: 'eu-west-1',
});

const awsProgram = (version: 'SES' | 'SESv2', command: string, check = ''): string => `
  import { ${version}Client, ${command} } from '@aws-sdk/client-${version.toLowerCase()}';
  const client = new ${version}Client({ maxAttempts: 1 });
  await run(async (call) => {
    const answer = await client.send(new ${command}(call));
    ${check}
  });`;

const ses2 = '@aws-sdk/client-sesv2/dist-types/models/models_1.d.ts';
const ses1 = '@aws-sdk/client-ses/dist-types/models/models_0.d.ts';
const file = { FileName: 'a.txt', RawContent: { $bytes: 'abc' } };
const header = { Name: 'X-A', Value: 'b' };

const ses: Pick<FieldSpec, 'env' | 'around' | 'values'> = {
  env: awsEnv,
  around: {
    'Content.Simple.Attachments.0': file,
    'Content.Template.Attachments.0': file,
    'DefaultContent.Template.Attachments.0': file,
    'Content.Simple.Headers.0': header,
    'Content.Template.Headers.0': header,
    'DefaultContent.Template.Headers.0': header,
    'BulkEmailEntries.0.ReplacementHeaders.0': header,
    ...Object.fromEntries(
      ['EmailTags', 'DefaultEmailTags', 'Tags', 'DefaultTags', 'BulkEmailEntries.0.ReplacementTags']
        .concat('Destinations.0.ReplacementTags')
        .map((name) => [`${name}.0`, { Name: 'a', Value: 'b' }]),
    ),
    'Content.Simple.Body.Html': { Data: 'x' },
    ListManagementOptions: { ContactListName: 'list' },
  },
  values: [
    [/Raw\.Data$|RawMessage\.Data$/, rawMessage],
    [/TemplateData$/, json],
    [/(?:Addresses|Destinations)\.0$/, address],
    [/^(?:Source|FromEmailAddress)$/, address],
    [/ContentType$/, (mark) => `text/${mark}`],
  ],
};

const sesEmail: FieldSpec = {
  ...ses,
  name: 'SES version 2, SendEmail',
  file: ses2,
  type: 'SendEmailRequest',
  program: awsProgram('SESv2', 'SendEmailCommand'),
  // The client's: it signs such calls only with another package.
  refused: ['EndpointId: text'],
  base: (field) => ({
    FromEmailAddress: from,
    Destination: { ToAddresses: [to] },
    Content: /^Content\.Raw/.test(field)
      ? { Raw: { Data: rawMessage('x') } }
      : /^Content\.Template/.test(field)
        ? { Template: { TemplateName: 'order' } }
        : { Simple: { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'Hi' } } } },
  }),
};

const sesBulk: FieldSpec = {
  ...ses,
  name: 'SES version 2, SendBulkEmail',
  file: ses2,
  type: 'SendBulkEmailRequest',
  program: awsProgram(
    'SESv2',
    'SendBulkEmailCommand',
    "if (answer.BulkEmailEntryResults[0].Status !== 'SUCCESS') throw new Error(answer.BulkEmailEntryResults[0].Error);",
  ),
  // The client's: it signs such calls only with another package.
  refused: ['EndpointId: text'],
  base: () => ({
    FromEmailAddress: from,
    DefaultContent: { Template: { TemplateName: 'order', TemplateData: '{}' } },
    BulkEmailEntries: [{ Destination: { ToAddresses: [to] } }],
  }),
};

const sesOldEmail: FieldSpec = {
  ...ses,
  name: 'SES version 1, SendEmail',
  file: ses1,
  type: 'SendEmailRequest',
  program: awsProgram('SES', 'SendEmailCommand'),
  base: () => ({
    Source: from,
    Destination: { ToAddresses: [to] },
    Message: { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'Hi' } } },
  }),
  around: { ...ses.around, 'Message.Body.Html': { Data: 'x' } },
};

const sesOldRaw: FieldSpec = {
  ...ses,
  name: 'SES version 1, SendRawEmail',
  file: ses1,
  type: 'SendRawEmailRequest',
  program: awsProgram('SES', 'SendRawEmailCommand'),
  base: () => ({ RawMessage: { Data: rawMessage('x') } }),
};

const sesOldTemplate: FieldSpec = {
  ...ses,
  name: 'SES version 1, SendTemplatedEmail',
  file: ses1,
  type: 'SendTemplatedEmailRequest',
  program: awsProgram('SES', 'SendTemplatedEmailCommand'),
  base: () => ({ Source: from, Destination: { ToAddresses: [to] }, Template: 'order', TemplateData: '{}' }),
};

const sesOldBulk: FieldSpec = {
  ...ses,
  name: 'SES version 1, SendBulkTemplatedEmail',
  file: ses1,
  type: 'SendBulkTemplatedEmailRequest',
  program: awsProgram(
    'SES',
    'SendBulkTemplatedEmailCommand',
    "if (answer.Status[0].Status !== 'Success') throw new Error(answer.Status[0].Error);",
  ),
  base: () => ({
    Source: from,
    Template: 'order',
    DefaultTemplateData: '{}',
    Destinations: [{ Destination: { ToAddresses: [to] } }],
  }),
};

export const senderFields: readonly FieldSpec[] = [
  ...[resend, postmarkMessage, postmarkTemplate, sendgrid, mailgun, brevo],
  ...[sesEmail, sesBulk, sesOldEmail, sesOldRaw, sesOldTemplate, sesOldBulk],
];
