// Faults that a capture session asks for, as its sender sees them: the service's own error, a delay, a cut connection.

import { describe, expect, it } from 'vitest';

import type { FaultRequest } from '../../../src/domain/smtp-fault.ts';
import { openSender, type SenderFixture } from './open-sender.ts';

const address = 'a@x.example';
const bearer = (prefix: string) => (token: string) => ({ authorization: `Bearer ${prefix}${token}` });
const aws = (token: string) => ({
  authorization: `AWS4-HMAC-SHA256 Credential=${token}/a/b/ses/aws4_request`,
});
const sesMail = {
  FromEmailAddress: address,
  Destination: { ToAddresses: [address] },
  Content: { Simple: { Subject: { Data: 'x' }, Body: { Text: { Data: 'x' } } } },
};

interface Service {
  readonly name: string;
  readonly path: string;
  readonly credentials: Parameters<typeof openSender>[0];
  readonly body: unknown;
  /** Parts of the answers with 429 and 500 that its clients read. */
  readonly tooMany: object;
  readonly failed: object;
}

const services: readonly Service[] = [
  {
    name: 'sendgrid',
    path: '/v3/mail/send',
    credentials: bearer('SG.'),
    body: {
      personalizations: [{ to: [{ email: address }] }],
      from: { email: address },
      subject: 'x',
      content: [{ type: 'text/plain', value: 'x' }],
    },
    tooMany: { json: { errors: [{ message: 'too many requests', field: null, help: null }] } },
    failed: { json: { errors: [{ message: 'internal server error', field: null, help: null }] } },
  },
  {
    name: 'resend',
    path: '/emails',
    credentials: bearer('re_'),
    body: { from: address, to: address, subject: 'x', text: 'x' },
    tooMany: { json: { statusCode: 429, name: 'rate_limit_exceeded' } },
    failed: { json: { statusCode: 500, name: 'application_error' } },
  },
  {
    name: 'postmark',
    path: '/email',
    credentials: (token) => ({ 'x-postmark-server-token': token }),
    body: { From: address, To: address, TextBody: 'x' },
    tooMany: { json: { ErrorCode: 429 } },
    failed: { json: { ErrorCode: 500 } },
  },
  {
    name: 'mailgun',
    path: '/v3/x.example/messages',
    credentials: (token) => ({
      authorization: `Basic ${Buffer.from(`api:${token}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    }),
    body: new URLSearchParams({ from: address, to: address, text: 'x' }).toString(),
    tooMany: { json: { message: expect.stringContaining('Too many') } },
    failed: { json: { message: 'Internal Server Error' } },
  },
  {
    name: 'brevo',
    path: '/v3/smtp/email',
    credentials: (token) => ({ 'api-key': token }),
    body: { sender: { email: address }, to: [{ email: address }], subject: 'x', textContent: 'x' },
    tooMany: { json: { code: 'too_many_requests' } },
    failed: { json: { code: 'internal_error' } },
  },
  {
    name: 'ses',
    path: '/v2/email/outbound-emails',
    credentials: aws,
    body: sesMail,
    tooMany: { headers: { 'x-amzn-errortype': 'TooManyRequestsException' } },
    failed: { headers: { 'x-amzn-errortype': 'InternalServiceErrorException' } },
  },
];

function plan({ harness, session }: SenderFixture, request: Omit<FaultRequest, 'stage'>): void {
  harness.services.setSmtpFaults(session, [{ stage: 'http', ...request }]);
}

describe.each(services)('$name', ({ path, credentials, body, tooMany, failed }) => {
  it('answers 429 with Retry-After and 500 as the service does, and stores nothing', async () => {
    const sender = await openSender(credentials);
    plan(sender, { code: 429, first: 1 });
    const limited = await sender.post(path, body);
    expect(limited).toMatchObject({ status: 429, ...tooMany });
    expect(limited.headers['retry-after']).toBe('1');
    plan(sender, { first: 1 });
    expect(await sender.post(path, body)).toMatchObject({ status: 500, ...failed });
    expect(await sender.mails()).toEqual([]);
    expect((await sender.post(path, body)).status).toBeLessThan(300);
    expect(await sender.mails()).toHaveLength(1);
  });

  it('cuts the connection, after a delay too', async () => {
    const sender = await openSender(credentials);
    for (const delayMs of [undefined, 5]) {
      plan(sender, { drops: true, ...(delayMs === undefined ? {} : { delayMs }) });
      await expect(sender.post(path, body)).rejects.toThrow(/hang up|ECONNRESET/);
    }
    expect(await sender.mails()).toEqual([]);
  });

  it('answers late', async () => {
    const sender = await openSender(credentials);
    plan(sender, { delayMs: 20 });
    expect((await sender.post(path, body)).status).toBeLessThan(300);
    expect(await sender.mails()).toHaveLength(1);
  });
});

it('answers version 1 of SES with Throttling, which has no status 429', async () => {
  const sender = await openSender(aws);
  plan(sender, { code: 429 });
  const form = new URLSearchParams({
    Action: 'SendEmail',
    Source: address,
    'Destination.ToAddresses.member.1': address,
    'Message.Subject.Data': 'x',
    'Message.Body.Text.Data': 'x',
  });
  const answer = await sender.post('/', form.toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });
  expect([answer.status, answer.headers['retry-after']]).toEqual([400, '1']);
  expect(answer.text).toContain('<Code>Throttling</Code>');
});

it('applies no fault of an SMTP dialogue', async () => {
  const sender = await openSender(aws);
  sender.harness.services.setSmtpFaults(sender.session, [{ stage: 'rcpt' }, { stage: 'end_of_data' }]);
  expect((await sender.post('/v2/email/outbound-emails', sesMail)).status).toBe(200);
});
