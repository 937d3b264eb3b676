// A domain that accepts mail for unused addresses and discards it: senders cannot tell which addresses exist.

import { expect, it } from 'vitest';

import { createLive } from '../contract/store-fixture.ts';
import { startSmtp, testDomain } from '../support/smtp/smtp-fixture.ts';

const text = 'Subject: x\r\n\r\nHello\r\n';

async function startDiscarding() {
  const count = { discarded: 0 };
  const fixture = await startSmtp({ onDiscarded: () => void (count.discarded += 1) });
  await fixture.store.directory.changeDomain(testDomain, { discardsUnknown: true });
  return { fixture, count };
}

const withoutId = (reply: string): string => reply.replace(/ \w{16}$/, ' ID');

it('treats unknown, ended and quarantined addresses like a live one, and stores nothing', async () => {
  const { fixture, count } = await startDiscarding();
  const live = await fixture.lend('live');
  const ended = await fixture.lend('ended');
  await fixture.store.mail.endSession(ended.key);
  const resting = await createLive(fixture.store, {
    address: `resting@${testDomain}`,
    quarantineMs: 3_600_000,
  });
  await fixture.store.mail.endSession(resting.key);
  const before = await fixture.store.countRows();
  const client = await fixture.greet();
  const talk = async (address: string): Promise<string[]> => [
    await client.command('MAIL FROM:<a@b.example>'),
    await client.command(`RCPT TO:<${address}>`),
    await client.command('DATA'),
    withoutId(await client.command(`${text}.`)),
  ];
  const strangers = ['nobody', 'ended', 'resting'].map((name) => `${name}@${testDomain}`);
  const replies = [];
  for (const address of strangers) replies.push(await talk(address));
  expect(await fixture.store.countRows()).toEqual(before);
  expect(count.discarded).toBe(3);
  const [first] = replies;
  expect(replies).toEqual([first, first, first]);
  expect(await talk(live.address)).toEqual(first);
  expect(await fixture.textsOf(live)).toEqual([text]);
  expect(count.discarded).toBe(3);
});

it('keeps the message for the live one of two recipients', async () => {
  const { fixture, count } = await startDiscarding();
  const live = await fixture.lend('live');
  const client = await fixture.greet();
  await client.command('MAIL FROM:<a@b.example>');
  for (const address of [`nobody@${testDomain}`, live.address, `nobody@${testDomain}`]) {
    expect(await client.command(`RCPT TO:<${address}>`)).toMatch(/^250 /);
  }
  await client.command('DATA');
  expect(await client.command(`${text}.`)).toMatch(/^250 /);
  expect(await fixture.textsOf(live)).toEqual([text]);
  expect(count.discarded).toBe(1);
});

it('accepts for a session that ends before the end of data', async () => {
  const { fixture, count } = await startDiscarding();
  const session = await fixture.lend('brief');
  const client = await fixture.greet();
  await client.command('MAIL FROM:<a@b.example>');
  await client.command(`RCPT TO:<${session.address}>`);
  await client.command('DATA');
  await fixture.store.mail.endSession(session.key);
  expect(await client.command(`${text}.`)).toMatch(/^250 /);
  expect(count.discarded).toBe(1);
});

it('still refuses foreign domains, and accepts mail for its operator', async () => {
  const { fixture, count } = await startDiscarding();
  const client = await fixture.greet();
  await client.command('MAIL FROM:<a@b.example>');
  expect(await client.command('RCPT TO:<a@other.example>')).toMatch(/^550 5\.7\.1 /);
  await client.command('RSET');
  expect(await client.deliver(text, `postmaster@${testDomain}`)).toMatch(/^250 /);
  expect(count.discarded).toBe(0);
});

it('keeps what other domains do with unknown addresses', async () => {
  const { fixture } = await startDiscarding();
  await fixture.store.directory.addDomain('strict.test', 0, 0);
  const client = await fixture.greet();
  await client.command('MAIL FROM:<a@b.example>');
  expect(await client.command('RCPT TO:<a@strict.test>')).toMatch(/^550 5\.1\.1 /);
});
