// The official clients of senders for Go, unmodified, against the built service. They are here because their modules
// must be downloaded. Brevo's is not among them: the module proxy answers 403, "This module version is not available",
// for each of its paths (getbrevo/brevo-go, with lib and v2, and sendinblue/APIv3-go-library, with v2). Its clients for
// Node.js and Python are tested in test/system.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { plannedFaults, planFault } from '../support/clients/planned-faults.ts';
import { openSenderService, type SenderService } from '../support/clients/sender-service.ts';
import { expectVerified } from '../support/clients/signed-events.ts';
import { runWell } from '../support/servers/run-program.ts';

let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mayfly-senders-'));
  program = path.join(folder, 'program');
  await runWell('go', ['build', '-o', program, '.'], { cwd: path.resolve('test/fixtures/clients/senders') });
}, 10 * 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Sends one mail with each client; resolves with the output. */
function send({ origin }: SenderService, token: string, ...words: readonly string[]): Promise<string> {
  return runWell(program, [origin, token, ...words], {
    env: {
      ...process.env,
      RESEND_API_KEY: `re_${token}`,
      RESEND_BASE_URL: origin,
      AWS_ENDPOINT_URL_SESV2: origin,
      AWS_MAX_ATTEMPTS: '1',
      AWS_ACCESS_KEY_ID: token,
      AWS_SECRET_ACCESS_KEY: 'any',
      AWS_REGION: 'eu-west-1',
    },
  });
}

async function openService(): Promise<SenderService> {
  const service = await openSenderService();
  onTestFinished(() => service.close());
  return service;
}

it('takes mail of the clients of SendGrid, Resend, Mailgun, SES and Postmark', async () => {
  const service = await openService();
  const { token, mails } = await service.openInbox();
  await send(service, token);
  expect(await mails()).toMatchObject([
    { subject: 'SendGrid' },
    { subject: 'Resend', attachments: [{ filename: 'a.txt', size: 3 }] },
    { subject: 'Mailgun', attachments: [{ filename: 'a.txt', size: 3 }] },
    { subject: 'SES' },
    { subject: 'Postmark', attachments: [{ filename: 'a.txt', size: 3 }] },
  ]);
});

it('fails as they know it', async () => {
  const service = await openService();
  const reports: unknown[] = [];
  for (const situation of ['limited', 'failing']) {
    const { token, mails } = await service.openInbox();
    await planFault(service, token, plannedFaults[situation] ?? {}, 5);
    reports.push(JSON.parse(await send(service, token, 'errors')));
    expect(await mails()).toEqual([]);
  }
  reports.push(JSON.parse(await send(service, 'wrong', 'errors')));
  expect(reports).toEqual([
    {
      sendgrid: expect.stringMatching(/^sendgrid: 429 .*"too many requests"/),
      resend: 'RateLimitError, again after 1',
      mailgun: 'status 429',
      ses: 'TooManyRequestsException',
      postmark: 'APIError 429',
    },
    {
      sendgrid: expect.stringMatching(/^sendgrid: 500 .*"internal server error"/),
      resend: '[ERROR]: An unexpected error occurred.',
      mailgun: 'status 500',
      ses: 'InternalServiceErrorException',
      postmark: 'APIError 500',
    },
    {
      sendgrid: expect.stringMatching(/^sendgrid: 401 .*"The provided authorization grant/),
      resend: '[ERROR]: API key is invalid',
      mailgun: 'status 401',
      ses: 'UnrecognizedClientException',
      postmark: 'APIError 10',
    },
  ]);
});

it('signs events that svix, resend, sendgrid and mailgun verify', () =>
  expectVerified((file) => runWell(program, ['verify', file])));
