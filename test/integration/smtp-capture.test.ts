// Capture sessions over real sockets: mail that reaches them by their labels and by authenticated connections, and
// that reaches no other session.

import { randomBytes } from 'node:crypto';

import { expect, it } from 'vitest';

import { randomLabel } from '../../src/domain/addresses/capture.ts';
import { openMeta } from '../../src/service/session/open-meta.ts';
import { hourMs } from '../contract/store-fixture.ts';
import type { SmtpClient } from '../support/smtp/smtp-client.ts';
import { type LentCapture, type SmtpFixture, startSmtp } from '../support/smtp/smtp-fixture.ts';
import { type OpenSession, stillOpen } from '../../src/service/session/session-access.ts';

const text = 'From: a@client.test\r\nSubject: hello\r\n\r\nworld\r\n';

async function greetAs(fixture: SmtpFixture, { label, token }: LentCapture): Promise<SmtpClient> {
  const client = await fixture.greet();
  const credentials = Buffer.from(`\0${label}\0${token}`).toString('base64');
  expect(await client.command(`AUTH PLAIN ${credentials}`)).toMatch(/^235 /);
  return client;
}

async function refresh({ services }: SmtpFixture, session: OpenSession): Promise<OpenSession> {
  const lookup = await services.findSession(session.key);
  if (lookup.state !== 'live') throw new Error(`The session is ${lookup.state}.`);
  return stillOpen(lookup.session, session);
}

/** Returns the recipients of each message, oldest first. */
async function recipientsOf(fixture: SmtpFixture, session: OpenSession): Promise<(readonly string[])[]> {
  const messages = await fixture.services.checkMail(await refresh(fixture, session), {});
  return messages.map(({ recipients }) => recipients).reverse();
}

/** Returns what is stored of the first message besides its bytes, and the fields added before them. */
async function shownOf(fixture: SmtpFixture, session: OpenSession): Promise<string> {
  const { mail } = fixture.store;
  const [stored] = await mail.listMessages(session.key, { limit: 1, order: 'oldest-first' });
  const { pieces } = await fixture.services.readRawMail(await refresh(fixture, session), 1);
  const shown: Uint8Array[] = [Buffer.from(JSON.stringify(openMeta(session, stored!)))];
  for await (const piece of pieces) shown.push(piece);
  return Buffer.concat(shown).toString('latin1');
}

it('stores one copy of a transaction in each session, with its own recipients alone', async () => {
  const fixture = await startSmtp();
  const [one, two] = [await fixture.capture(), await fixture.capture()];
  const fox = await fixture.lend('fox');
  const ofOne = [
    `a@${one.label}.mayfly.test`,
    `"B c"@${one.label.toUpperCase()}.Mayfly.Test`,
    'x@example.org',
  ];
  const ofTwo = [`a@${two.label}.mayfly.test`];
  const client = await greetAs(fixture, one);
  const sent = [ofOne[0]!, fox.address, ofTwo[0]!, ofOne[1]!, 'postmaster@mayfly.test', ofOne[2]!];
  expect(await client.deliver(text, ...sent)).toMatch(/^250 /);
  expect(await fixture.textsOf(one.session)).toEqual([text]);
  expect(await recipientsOf(fixture, one.session)).toEqual([ofOne]);
  expect(await recipientsOf(fixture, two.session)).toEqual([ofTwo]);
  expect(await recipientsOf(fixture, fox)).toEqual([[fox.address]]);
  for (const [session, others] of [
    [one.session, [fox.address, two.label]],
    [two.session, [fox.address, one.label, 'example.org']],
    [fox, [one.label, two.label, 'example.org']],
  ] as const) {
    const shown = await shownOf(fixture, session);
    for (const other of others) expect(shown).not.toContain(other);
  }
});

it('stores one copy for a hundred recipients', async () => {
  const fixture = await startSmtp();
  const lent = await fixture.capture();
  const recipients = Array.from({ length: 100 }, (_, at) => `user${at}@${lent.label}.mayfly.test`);
  expect(await (await fixture.greet()).deliver(text, ...recipients)).toMatch(/^250 /);
  expect(await recipientsOf(fixture, lent.session)).toEqual([recipients]);
});

it('relays nothing, and treats an ended label like one that never existed', async () => {
  const fixture = await startSmtp();
  await fixture.store.directory.addDomain('mayfly.test', hourMs, 0);
  const ended = await fixture.capture();
  await fixture.services.endSession(ended.session);
  const client = await fixture.greet();
  await client.command('MAIL FROM:<a@client.test>');
  const unknown = [
    `x@${ended.label}.mayfly.test`,
    `x@${randomLabel(randomBytes)}.mayfly.test`,
    'x@mayfly.test',
  ];
  for (const recipient of unknown) {
    expect(await client.command(`RCPT TO:<${recipient}>`)).toBe('550 5.1.1 No such recipient');
  }
  const foreign = [
    'x@example.org',
    `x@a.${ended.label}.mayfly.test`,
    'x@short.mayfly.test',
    `x@${ended.label}`,
  ];
  for (const recipient of foreign) {
    expect(await client.command(`RCPT TO:<${recipient}>`)).toBe('550 5.7.1 Relaying denied');
  }
});

it('counts wrong labels as unknown recipients', async () => {
  const fixture = await startSmtp({ settings: { unknownRecipientsMax: 3 } });
  const client = await fixture.greet();
  await client.command('MAIL FROM:<a@client.test>');
  const replies: string[] = [];
  for (let count = 0; count < 4; count++) {
    const reply = await client.command(`RCPT TO:<x@${randomLabel(randomBytes)}.mayfly.test>`);
    replies.push(reply.slice(0, 3));
    if (reply.startsWith('421')) break;
  }
  expect(replies.at(-1)).toBe('421');
});

it('reports mail refused at its label to the session, and drops for more if it says so', async () => {
  const fixture = await startSmtp({ quota: { messages: 2, bytes: 1000 } });
  const lent = await fixture.capture();
  const dropping = await fixture.services.createCaptureSession({ onFull: 'drop_oldest' });
  const client = await fixture.greet();
  for (const { session, replies } of [
    { session: lent.session, replies: ['250', '250', '452'] },
    { session: dropping.session, replies: ['250', '250', '250'] },
  ]) {
    const recipient = session.address.replace('*', 'x');
    const got: string[] = [];
    for (const subject of ['one', 'two', 'three']) {
      await client.command('RSET');
      await client.command('MAIL FROM:<a@client.test>');
      const reply = await client.command(`RCPT TO:<${recipient}>`);
      if (reply.startsWith('250')) {
        await client.command('DATA');
        client.send(`Subject: ${subject}\r\n\r\n.\r\n`);
        got.push((await client.readReply()).slice(0, 3));
      } else got.push(reply.slice(0, 3));
    }
    expect(got).toEqual(replies);
  }
  expect(await fixture.textsOf(dropping.session)).toEqual(['Subject: two\r\n\r\n', 'Subject: three\r\n\r\n']);
  await expect
    .poll(async () => (await fixture.attemptsOf(lent.session)).map(({ outcome }) => outcome).sort(), {
      timeout: 15_000,
    })
    .toEqual(['accepted', 'accepted', 'refused']);
  await client.command('RSET');
  expect(await client.command('MAIL FROM:<a@client.test> SIZE=1001')).toMatch(/^250/);
  const large = dropping.session.address.replace('*', 'x');
  expect(await client.command(`RCPT TO:<${large}>`)).toBe('452 4.2.2 Recipient is over quota');
});

it('separates a thousand sessions, each with its own connection', { timeout: 300_000 }, async () => {
  const fixture = await startSmtp();
  const workers = await Promise.all(
    Array.from({ length: 1000 }, async (_, at) => {
      const lent = await fixture.capture();
      return { at, lent, client: await greetAs(fixture, lent) };
    }),
  );
  // The same recipients for all of them.
  const send = ({ client, at }: (typeof workers)[number], round: string): Promise<string> =>
    client.deliver(`Subject: ${round} of ${at}\r\n\r\n`, 'alice@example.org', 'bob@mayfly.test');
  for (const round of ['first', 'second']) {
    const replies = await Promise.all(workers.map((worker) => send(worker, round)));
    expect(replies.filter((reply) => !reply.startsWith('250 '))).toEqual([]);
  }
  for (const { at, lent } of workers) {
    const texts = await fixture.textsOf(lent.session);
    expect(texts).toEqual([`Subject: first of ${at}\r\n\r\n`, `Subject: second of ${at}\r\n\r\n`]);
  }
  expect(fixture.errors).toEqual([]);
});
