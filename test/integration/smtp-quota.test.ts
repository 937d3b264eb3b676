// A session's quota is asked when a recipient is named; what was accepted then is stored while the session is below it.

import { expect, it } from 'vitest';

import { startSmtp } from '../support/smtp/smtp-fixture.ts';

const kilobyte = `${'x'.repeat(1022)}\r\n`;
const quota = { messages: 9, bytes: 100 * 1024 };
const full = '452 4.2.2 Recipient is over quota';

it('is not asked again for a message whose size was not declared, which is stored for every recipient', async () => {
  const fixture = await startSmtp({ quota });
  const client = await fixture.greet();
  const [narrow, roomy] = [await fixture.lend('narrow'), await fixture.lend('roomy')];
  expect(await client.deliver(kilobyte.repeat(60), narrow.address)).toMatch(/^250/);
  const message = kilobyte.repeat(400);
  expect(await client.deliver(message, narrow.address, roomy.address, 'postmaster@mayfly.test')).toMatch(
    /^250/,
  );
  expect(await fixture.textsOf(narrow)).toEqual([kilobyte.repeat(60), message]);
  expect(await fixture.textsOf(roomy)).toEqual([message]);
  await client.command('MAIL FROM:<sender@client.test>');
  for (const { address } of [narrow, roomy]) expect(await client.command(`RCPT TO:<${address}>`)).toBe(full);
});

it('is asked with the declared size, and a larger message than declared is stored all the same', async () => {
  const fixture = await startSmtp({ quota });
  const client = await fixture.greet();
  const session = await fixture.lend('narrow');
  const declare = async (sizeBytes: number): Promise<string> => {
    await client.command('RSET');
    await client.command(`MAIL FROM:<sender@client.test> SIZE=${sizeBytes}`);
    return client.command(`RCPT TO:<${session.address}>`);
  };
  expect(await declare(100 * 1024 + 1)).toBe(full);
  expect(await declare(100 * 1024)).toMatch(/^250/);
  await client.command('DATA');
  client.send(`${kilobyte.repeat(120)}.\r\n`);
  expect(await client.readReply()).toMatch(/^250/);
  expect(await fixture.textsOf(session)).toEqual([kilobyte.repeat(120)]);
});

it('holds for two senders of one session who were both accepted: one is stored, the other is asked to retry', async () => {
  const fixture = await startSmtp({ quota: { messages: 9, bytes: 1000 } });
  const session = await fixture.lend('narrow');
  const clients = [await fixture.greet(), await fixture.greet()];
  for (const client of clients) await client.startData(session.address);
  for (const client of clients) client.send(`${kilobyte}.\r\n`);
  const replies = await Promise.all(clients.map((client) => client.readReply()));
  expect(replies.map((reply) => reply.slice(0, 9)).sort()).toEqual(['250 2.0.0', '452 4.2.2']);
  expect(await fixture.textsOf(session)).toEqual([kilobyte]);
});
