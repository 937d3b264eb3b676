// Tests that share one `mayfly dev`: in a few workers of Playwright's runner, and the sessions of 200 workers at once.

import { expect, it } from 'vitest';

import { Mayfly } from '../../clients/typescript/src/index.ts';
import { startDev } from '../support/service/dev-process.ts';
import { runManyWorkers } from '../support/clients/playwright-workers.ts';
import { greet } from '../support/smtp/smtp-client.ts';

it('passes 24 tests in 4 workers, without a mix-up or a 429', { timeout: 180_000 }, async () => {
  const { status, stdout } = await runManyWorkers({ tests: 24, workers: 4 });
  expect(stdout).toMatch(/\b24 passed/);
  expect(status).toBe(0);
});

it('separates 200 inboxes and 200 mailboxes that wait at the same time', { timeout: 180_000 }, async () => {
  const service = await startDev();
  const statuses = new Set<number>();
  const mayfly = new Mayfly({
    url: service.origin,
    timeout: 120_000,
    fetch: async (...request) => {
      const response = await fetch(...request);
      statuses.add(response.status);
      return response;
    },
  });
  const numbers = Array.from({ length: 200 }, (_, number) => number);
  const workers = await Promise.all(
    numbers.map(async (number) => {
      const [inbox, mailbox] = await Promise.all([mayfly.createInbox(), mayfly.createCapture()]);
      const waits = [inbox.waitForCode(), mailbox.waitForCode()];
      return { number, inbox, mailbox, codes: Promise.all(waits) };
    }),
  );
  const smtp = await greet(service.smtpPort);
  for (const { number, inbox, mailbox } of workers) {
    const mail = (code: number): string => `Subject: of ${number}\r\n\r\nYour code is ${code}.\r\n`;
    expect(await smtp.deliver(mail(100_000 + number), inbox.email)).toMatch(/^250/);
    expect(await smtp.deliver(mail(200_000 + number), mailbox.address('user'))).toMatch(/^250/);
  }
  for (const { number, inbox, mailbox, codes } of workers) {
    expect(await codes).toEqual([String(100_000 + number), String(200_000 + number)]);
    const lists = await Promise.all([inbox.messages(), mailbox.messages()]);
    expect(lists.map((list) => list.map(({ subject }) => subject))).toEqual([
      [`of ${number}`],
      [`of ${number}`],
    ]);
  }
  expect([...statuses]).toEqual([200]);
});
