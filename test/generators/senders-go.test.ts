// The official clients of senders for Go, unmodified, against the built service. They are here because their modules
// must be downloaded. Brevo's is not among them: the module proxy answers 403, "This module version is not available",
// for each of its paths (getbrevo/brevo-go, with lib and v2, and sendinblue/APIv3-go-library, with v2). Its clients for
// Node.js and Python are tested in test/system.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { openSenderService } from '../support/clients/sender-service.ts';
import { runWell } from '../support/servers/run-program.ts';

it('takes mail of the clients of SendGrid, Resend, Mailgun, SES and Postmark', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-senders-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const program = path.join(folder, 'program');
  await runWell('go', ['build', '-o', program, '.'], { cwd: path.resolve('test/fixtures/clients/senders') });

  const service = await openSenderService();
  onTestFinished(() => service.close());
  const { token, mails } = await service.openInbox();
  await runWell(program, [service.origin, token], {
    env: {
      ...process.env,
      RESEND_API_KEY: `re_${token}`,
      RESEND_BASE_URL: service.origin,
      AWS_ENDPOINT_URL_SESV2: service.origin,
      AWS_ACCESS_KEY_ID: token,
      AWS_SECRET_ACCESS_KEY: 'any',
      AWS_REGION: 'eu-west-1',
    },
  });
  expect(await mails()).toMatchObject([
    { subject: 'SendGrid' },
    { subject: 'Resend', attachments: [{ filename: 'a.txt', size: 3 }] },
    { subject: 'Mailgun', attachments: [{ filename: 'a.txt', size: 3 }] },
    { subject: 'SES' },
    { subject: 'Postmark', attachments: [{ filename: 'a.txt', size: 3 }] },
  ]);
});
