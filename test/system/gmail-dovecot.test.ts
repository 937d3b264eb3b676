// Gmail aliases end to end: a real Dovecot in Gmail's place, the real pollers, store and HTTP interface.

import { setTimeout } from 'node:timers/promises';

import type { ImapFlow } from 'imapflow';
import { beforeEach, expect, it, onTestFinished } from 'vitest';

import type { MailCredentials } from '#imap-reader/credentials';
import { createGmailPollers } from '../../src/gmail/create-gmail-pollers.ts';
import { type Dovecot, startDovecot } from '../support/gmail/dovecot.ts';
import { eventually } from '../support/eventually.ts';
import { imapPassword } from '../support/gmail/imap-password.ts';
import { arrivedMail, type Polled, startPolled } from '../support/gmail/polled-account.ts';
import { ask, postJson } from '../integration/http-harness.ts';

const email = 'quiet.fox@gmail.com';

let dovecot: Dovecot;

beforeEach(async () => {
  dovecot = await startDovecot({ hasAllMail: true, maxConnections: 4 });
  return () => dovecot.close();
});

async function startWith(options: Partial<Parameters<typeof startPolled>[0]> = {}): Promise<Polled> {
  const polled = await startPolled({ port: dovecot.port, ...options });
  await polled.untilHealth('healthy');
  return polled;
}

/** Returns the subjects in the folder, in order of UID. */
async function listFolder(client: ImapFlow, folder: string): Promise<string[]> {
  const { exists } = await client.mailboxOpen(folder, { readOnly: true });
  if (exists === 0) return [];
  const messages = await client.fetchAll('1:*', { envelope: true, uid: true });
  return messages.map(({ envelope }) => envelope?.subject ?? '');
}

it('lends an alias, shows its mail at once, and moves it to the trash after the end', async () => {
  const polled = await startWith();
  const { harness } = polled;
  const lent = await polled.lend();
  const client = await dovecot.connect(email);
  const begunAt = performance.now();
  await client.append('All Mail', arrivedMail(lent.email, 'Your code'));
  await client.append('All Mail', arrivedMail(email, 'Private'));
  expect(await polled.untilMessages(lent.token, 1)).toEqual(['Your code']);
  process.stdout.write(`From APPEND to check-mail: ${Math.round(performance.now() - begunAt)} ms\n`);

  const { json } = await ask(harness, `/read-mail?token=${lent.token}&id=1`);
  expect(json.message).toMatchObject({
    subject: 'Your code',
    text: expect.stringContaining('Your code is 123456.') as string,
    envelope: { mail_from: 'bounce@shop.example', rcpt_to: [lent.email], remote_ip: '192.0.2.7' },
  });
  const raw = await ask(harness, `/raw-mail?token=${lent.token}&id=1`);
  expect(raw.text.endsWith(arrivedMail(lent.email, 'Your code').toString())).toBe(true);
  await eventually(
    async () => ((await polled.account()).unmatched === 1 ? true : undefined),
    'one is counted',
  );
  expect(await listFolder(client, 'All Mail')).toEqual(['Your code', 'Private']);
  expect((await postJson(harness, '/delete-mail', { token: lent.token, id: 1 })).status).toBe(200);
  expect(await polled.subjects(lent.token)).toEqual([]);

  harness.advance(3_601_000);
  expect((await ask(harness, `/check-mail?token=${lent.token}`)).status).toBe(410);
  // The sweep does this every few seconds.
  await harness.store.mail.endDueSessions(10);
  await eventually(async () => {
    const trashed = await listFolder(client, 'Bin');
    return trashed.length > 0 ? trashed : undefined;
  }, 'the message is in the trash');
  expect(await listFolder(client, 'Bin')).toEqual(['Your code']);
  expect(await listFolder(client, 'All Mail')).toEqual(['Private']);
});

it('finds mail in the spam folder, and marks it', async () => {
  const polled = await startWith();
  const lent = await polled.lend({ prefix: 'shop' });
  expect(lent.email).toBe('quiet.fox+shop@gmail.com');
  const client = await dovecot.connect(email);
  // The spam folder is read once the inbox was: earlier messages belong to no session.
  const { gmail } = polled.harness.store;
  await eventually(() => gmail.findCursor(1, 'Spam'), 'the spam folder has been looked at');
  await client.append('Spam', arrivedMail(lent.email, 'Winner'));
  await polled.untilMessages(lent.token, 1);
  const { json } = await ask(polled.harness, `/check-mail?token=${lent.token}`);
  expect(json.messages[0]).toMatchObject({ subject: 'Winner', in_spam: true });
});

it('recognises a message found as spam and moved to the others', async () => {
  const polled = await startWith();
  const lent = await polled.lend();
  const client = await dovecot.connect(email);
  const { gmail } = polled.harness.store;
  await eventually(() => gmail.findCursor(1, 'Spam'), 'the spam folder has been looked at');
  await client.append('Spam', arrivedMail(lent.email, 'No spam'));
  await polled.untilMessages(lent.token, 1);
  await client.mailboxOpen('Spam');
  await client.messageMove('1:*', 'All Mail');
  await client.append('All Mail', arrivedMail(lent.email, 'Next'));
  expect(await polled.untilMessages(lent.token, 2)).toEqual(['No spam', 'Next']);
});

it('reads the folders that the operator named, and no others', async () => {
  const client = await dovecot.connect(email);
  for (const folder of ['Codes/Sign-up', 'Maybe spam']) await client.mailboxCreate(folder);
  const account = { inboxFolder: 'Codes/Sign-up', spamFolder: 'Maybe spam' };
  const polled = await startWith({ account });
  const lent = await polled.lend();
  const { gmail } = polled.harness.store;
  await eventually(() => gmail.findCursor(1, 'Maybe spam'), 'the spam folder has been looked at');
  for (const folder of ['All Mail', 'Spam']) {
    await client.append(folder, arrivedMail(lent.email, 'Elsewhere'));
  }
  await client.append('Maybe spam', arrivedMail(lent.email, 'Winner'));
  await polled.untilMessages(lent.token, 1);
  await client.append('Codes/Sign-up', arrivedMail(lent.email, 'Code'));
  expect(await polled.untilMessages(lent.token, 2)).toEqual(['Winner', 'Code']);
});

it('gives a message for two live aliases to both, and one for a past alias to none', async () => {
  const polled = await startWith();
  const [one, two] = [await polled.lend(), await polled.lend({ googlemail: 1 })];
  const past = await polled.lend();
  await postJson(polled.harness, '/end-session', { token: past.token });
  const client = await dovecot.connect(email);
  await client.append('All Mail', arrivedMail(past.email, 'Late'));
  const both = arrivedMail(one.email, 'Both')
    .toString()
    .replace(/^To: .*$/m, `To: ${one.email},\r\n ${two.email}`);
  await client.append('All Mail', Buffer.from(both));
  expect(await polled.untilMessages(one.token, 1)).toEqual(['Both']);
  expect(await polled.untilMessages(two.token, 1)).toEqual(['Both']);
});

it('shows no session mail from before its start', async () => {
  const polled = await startWith();
  const lent = await polled.lend();
  const client = await dovecot.connect(email);
  await client.append('All Mail', arrivedMail(lent.email, 'Old'), [], new Date(Date.now() - 120_000));
  await client.append('All Mail', arrivedMail(lent.email, 'Slow'), [], new Date(Date.now() - 30_000));
  expect(await polled.untilMessages(lent.token, 1)).toEqual(['Slow']);
});

it('marks delivered messages as seen, or leaves them, and nothing else', async () => {
  for (const afterDelivery of ['seen', 'leave'] as const) {
    const user = `${afterDelivery}.fox@gmail.com`;
    const polled = await startWith({ email: user, settings: { afterDelivery } });
    const lent = await polled.lend();
    const client = await dovecot.connect(user);
    await client.append('All Mail', arrivedMail(user, 'Private'));
    await client.append('All Mail', arrivedMail(lent.email, 'Mine'));
    await polled.untilMessages(lent.token, 1);
    await postJson(polled.harness, '/end-session', { token: lent.token });
    await polled.untilHealth('healthy');
    const flags = await eventually(async () => {
      await client.mailboxOpen('All Mail', { readOnly: true });
      const found = await client.fetchAll('1:*', { flags: true });
      const seen = found.map((message) => message.flags?.has('\\Seen') ?? false);
      return seen[1] === (afterDelivery === 'seen') ? seen : undefined;
    }, 'the flag is set');
    expect(flags).toEqual([false, afterDelivery === 'seen']);
    expect(await listFolder(client, 'Bin')).toEqual([]);
  }
});

it('stops at a wrong password until the operator changes the account', async () => {
  const password = { now: 'wrong-password', timesRead: 0 };
  const openCredentials = (): MailCredentials => {
    password.timesRead++;
    return { kind: 'password', password: password.now };
  };
  const polled = await startPolled({ port: dovecot.port, parts: { openCredentials } });
  const refused = await polled.untilHealth('refused');
  expect(refused.detail).toBe('The server refused the login: Authentication failed.');
  polled.pollers.wake();
  password.now = imapPassword;
  // Several times the interval at which accounts are listed.
  await setTimeout(500);
  expect((await polled.account()).health).toBe('refused');
  expect(password.timesRead).toBe(1);
  await polled.harness.store.gmail.addAccount({ ...refused });
  polled.pollers.wake();
  await polled.untilHealth('healthy');
  // Dovecot logs a login after its response.
  const log = await eventually(async () => {
    const now = await dovecot.readLog();
    return now.includes('Login: user') && now.includes('auth failed') ? now : undefined;
  }, 'both logins are in the log');
  expect(log.match(/auth failed/g)).toHaveLength(1);
});

it('lets one of two nodes poll, and the other when the first has gone', async () => {
  const polled = await startWith();
  const second = createGmailPollers({ ...polled.parts, holder: 'node-2' });
  onTestFinished(() => second.close());
  const lent = await polled.lend();
  const client = await dovecot.connect(email);
  await client.append('All Mail', arrivedMail(lent.email, 'One'));
  await polled.untilMessages(lent.token, 1);
  expect(await polled.parts.leases.takeLease('gmail:1', 'node-3', 1)).toBeUndefined();
  await polled.pollers.close();
  await client.append('All Mail', arrivedMail(lent.email, 'Two'));
  expect(await polled.untilMessages(lent.token, 2)).toEqual(['One', 'Two']);
});
