import { expect, it } from 'vitest';

import { Mayfly } from './mayfly.ts';

const answer = {
  status: 'success',
  email: 'quiet-fox@mayfly.test',
  token: 'mf_token',
  expires_at: '2030-01-02 03:04:05',
  smtp: { host: 'mayfly.test', port: 25, username: 'quiet-fox', password: 'mf_token' },
};
const mayfly = new Mayfly({ url: 'http://127.0.0.1:1', fetch: async () => Response.json(answer) });

it.each([
  ['created', () => mayfly.createInbox()],
  ['created for any recipient', () => mayfly.createCapture()],
  ['reopened', () => mayfly.reopen('mf_token')],
])('tells as a date when an inbox ends that was %s', async (_, open) => {
  const { email, token, expiresAt } = await open();
  expect({ email, token }).toEqual({ email: answer.email, token: answer.token });
  expect(expiresAt).toEqual(new Date('2030-01-02T03:04:05Z'));
});
