// A message without room at any recipient is not buffered while it arrives, and none of it reaches the store.

import { expect, it } from 'vitest';

import { startSmtp } from '../support/smtp-fixture.ts';

const kilobyte = `${'x'.repeat(1022)}\r\n`;

async function startCounting() {
  const received: number[] = [];
  const fixture = await startSmtp({
    quota: { messages: 9, bytes: 100 * 1024 },
    wrapReceiver: (receiver) => ({
      ...receiver,
      receiveMessage: (message, recipients) => {
        received.push(message.raw.sizeBytes);
        return receiver.receiveMessage(message, recipients);
      },
    }),
  });
  return { fixture, received, client: await fixture.greet() };
}

it('is refused as over quota at its end, is logged, and leaves the session unchanged', async () => {
  const { fixture, received, client } = await startCounting();
  const session = await fixture.lend('narrow');
  const reply = await client.deliver(kilobyte.repeat(400), session.address);
  expect(reply).toBe('452 4.2.2 Recipient is over quota');
  expect(received).toEqual([]);
  await expect.poll(() => fixture.attemptsOf(session)).toMatchObject([{ outcome: 'refused', reply }]);
  expect(await client.deliver(kilobyte.repeat(100), session.address)).toMatch(/^250/);
  expect(received).toEqual([100 * 1024]);
});

it('is accepted as long as one of several recipients has room', async () => {
  const { fixture, received, client } = await startCounting();
  const [narrow, roomy] = [await fixture.lend('narrow'), await fixture.lend('roomy')];
  expect(await client.deliver(kilobyte.repeat(60), narrow.address)).toMatch(/^250/);
  const message = kilobyte.repeat(80);
  expect(await client.deliver(message, narrow.address)).toMatch(/^452 4\.2\.2/);
  expect(await client.deliver(message, narrow.address, roomy.address)).toMatch(/^250/);
  // The room for one message's recipients does not affect the next message.
  expect(await client.deliver(message, narrow.address)).toMatch(/^452 4\.2\.2/);
  expect(received).toEqual([60 * 1024, 80 * 1024]);
  expect(await client.deliver(message, narrow.address, 'postmaster@mayfly.test')).toMatch(/^250/);
});
