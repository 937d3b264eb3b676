// Gmail aliases over the HTTP interface, on a real listener; the accounts look as healthy as after a poll.

import { expect, it } from 'vitest';

import { unknownRemote } from '#gmail-aliases/read-trace';
import { addHealthyAccount } from '../support/gmail/gmail-account.ts';
import { ask, type Harness, postJson, startHttp } from './http-harness.ts';

async function startWith(...emails: readonly string[]): Promise<Harness> {
  const harness = await startHttp();
  const { store } = harness;
  for (const email of emails) await addHealthyAccount(store, email);
  return harness;
}

it('lists accounts beside domains', async () => {
  const harness = await startWith('quiet.fox@gmail.com', 'box@mail.test');
  expect((await ask(harness, '/domains')).json).toEqual({
    status: 'success',
    domains: [{ id: 1, domain: 'mayfly.test' }],
    gmail_accounts: [
      { id: 1, email: 'quiet.fox@gmail.com' },
      { id: 2, email: 'box@mail.test' },
    ],
  });
});

it('lends aliases for the parameters', async () => {
  const harness = await startWith('quiet.fox@gmail.com', 'box@mail.test');
  const lend = async (body: object): Promise<unknown> => {
    const { status, json } = await postJson(harness, '/create-session', body);
    return status === 200 ? (json as { email: string }).email : json;
  };
  const dots = expect.stringMatching(/^[a-z]+(?:\.[a-z]+)*@gmail\.com$/) as string;
  expect(await lend({ use_gmail: 1, gmail_id: 1 })).toEqual(dots);
  expect(await lend({ use_gmail: '1', domain_id: '1' })).toEqual(dots);
  expect(await lend({ use_gmail: true, gmail_id: 1, prefix: 'Shop' })).toBe('quiet.fox+shop@gmail.com');
  expect(await lend({ gmail_auto: 1, domain_id: 1, prefix: 'shop' })).toBe('box+shop@mail.test');
  const written = { use_gmail: 1, gmail_id: 1, alias: 'plus', googlemail: 1 };
  expect(await lend(written)).toMatch(/^quiet\.fox\+[a-z0-9]{11}@googlemail\.com$/);
  expect(await lend({ domain_id: 1, gmail_auto: 0 })).toMatch(/@mayfly\.test$/);
});

it('refuses with the catalogue’s code and parameter', async () => {
  const harness = await startWith('quiet.fox@gmail.com');
  const refused: [object, number, string, string?][] = [
    [{ use_gmail: 1, gmail_id: 9 }, 404, 'unknown_gmail_account', 'gmail_id'],
    [{ gmail_auto: 1, gmail_id: 1 }, 400, 'conflicting_parameters', 'gmail_auto'],
    [{ gmail_auto: 1, use_gmail: 0 }, 400, 'conflicting_parameters', 'gmail_auto'],
    [{ use_gmail: 1, alias: 'dots' }, 400, 'invalid_parameter', 'alias'],
    [{ use_gmail: 1, alias: 'dot', prefix: 'x' }, 400, 'conflicting_parameters', 'alias'],
    [{ use_gmail: 1, googlemail: 'yes' }, 400, 'invalid_parameter', 'googlemail'],
    [{ use_gmail: 1, prefix: 'a b' }, 400, 'invalid_prefix', 'prefix'],
  ];
  for (const [body, status, code, parameter] of refused) {
    const answer = await postJson(harness, '/create-session', body);
    expect([answer.status, answer.json]).toEqual([status, expect.objectContaining({ code, parameter })]);
  }
  const { gmail } = harness.store;
  await gmail.disableAccount('quiet.fox@gmail.com');
  const answer = await postJson(harness, '/create-session', { use_gmail: 1 });
  expect([answer.status, answer.json]).toEqual([
    503,
    expect.objectContaining({ code: 'no_gmail_account_available' }),
  ]);
  expect(answer.headers['retry-after']).toBe('60');
});

it('shows a message of an alias, and that it was in the spam folder', async () => {
  const harness = await startWith('quiet.fox@gmail.com');
  const { json } = await postJson(harness, '/create-session', { use_gmail: 1 });
  const { email, token } = json as { email: string; token: string };
  const session = await harness.store.mail.findLiveSession(email);
  if (!session) throw new Error('No session.');
  const raw = 'From: a@example.org\r\nSubject: Code 123456\r\n\r\nYour code is 123456\r\n';
  await harness.receiving.receiveGmailMessage({
    sessions: [session],
    mailFrom: null,
    remote: unknownRemote,
    isSpam: true,
    origin: Buffer.alloc(16),
    pieces: [Buffer.from(raw)],
  });
  const list = await ask(harness, `/check-mail?token=${token}`);
  expect(list.json).toMatchObject({ messages: [{ id: 1, in_spam: true, code: '123456' }] });
  const read = await ask(harness, `/read-mail?token=${token}&id=1`);
  expect(read.json).toMatchObject({
    message: { in_spam: true, envelope: { mail_from: null, rcpt_to: [email], remote_ip: '', helo: '' } },
  });
  const own = await ask(harness, `/raw-mail?token=${token}&id=1`);
  expect(own.text).toBe(raw);
});
