// Inboxes by key: two hundred workers at once, and any key where names select sessions.

import { expect, it } from 'vitest';

import { startCompat } from '../compat-harness.ts';
import { ask } from '../http-harness.ts';
import { openSender } from './open-sender.ts';

const address = 'a@x.example';
const json = { 'content-type': 'application/json' };

function mailOf(subject: string) {
  return { from: address, to: address, subject, text: 'x' };
}

it('gives each of two hundred workers the mail of its own key', async () => {
  const harness = await startCompat();
  const workers = await Promise.all(
    Array.from({ length: 200 }, async (_, at) => {
      const { token } = await harness.services.createCaptureSession({});
      return { token, subject: `Worker ${at}` };
    }),
  );
  const answers = await Promise.all(
    workers.map(({ token, subject }) =>
      ask(harness, '/emails', {
        method: 'POST',
        headers: { ...json, authorization: `Bearer re_${token}` },
        body: JSON.stringify(mailOf(subject)),
      }),
    ),
  );
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  for (const { token, subject } of workers) {
    const { session } = await harness.services.authenticateToken(token);
    const mails = await harness.services.checkMail(session);
    expect(mails.map((mail) => mail.subject)).toEqual([subject]);
  }
});

it('names an inbox by service and key where names select sessions', async () => {
  const asked: string[] = [];
  const sender = await openSender(() => ({ authorization: 'Bearer re_worker-3' }), {
    sessionByName: (harness) => async (name) => {
      asked.push(name);
      const { token } = await harness.services.createCaptureSession({});
      return harness.services.authenticateToken(token);
    },
  });
  expect((await sender.post('/emails', mailOf('x'))).status).toBe(200);
  const postmark = { 'x-postmark-server-token': 're_worker-3' };
  await sender.post('/email', { From: address, To: address, TextBody: 'x' }, postmark);
  expect(asked).toEqual(['resend-re_worker-3', 'postmark-re_worker-3']);
});
