// Tests of Playwright's own runner, spread over workers that share one `mayfly dev`.

import { cp } from 'node:fs/promises';
import path from 'node:path';

import { expect, onTestFinished } from 'vitest';

import { Mayfly } from '../../../clients/typescript/src/index.ts';
import { startDev } from '../service/dev-process.ts';
import { greet } from '../smtp/smtp-client.ts';
import { installClients } from './installed-clients.ts';
import { type Finished, runProgram } from '../servers/run-program.ts';

interface Many {
  readonly tests: number;
  readonly workers: number;
}

/** Returns the runner's output: a test fails if it sees another's mail, or any response but 200. */
export async function runManyWorkers({ tests, workers }: Many): Promise<Finished> {
  const service = await startDev();
  const others = ['@playwright/test', 'playwright', 'playwright-core', 'nodemailer'];
  const folder = await installClients(['typescript', 'playwright'], others);
  onTestFinished(folder.remove);
  await cp('test/fixtures/playwright', folder.path, { recursive: true });
  const cli = path.join(folder.path, 'node_modules/@playwright/test/cli.js');
  const env = {
    PATH: process.env['PATH'],
    HOME: folder.path,
    SERVICE: service.origin,
    SMTP_PORT: String(service.smtpPort),
    SUITE: 'many-workers.ts',
    TESTS: String(tests),
    WORKERS: String(workers),
  };
  const words = [cli, 'test', '--config=suite-config.ts', '--reporter=dot'];
  return runProgram(process.execPath, words, { cwd: folder.path, env });
}

/** Each of so many workers waits for mail in an inbox and in a mailbox, all at the same time, and gets its own. */
export async function expectSeparate(count: number): Promise<void> {
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
  const numbers = Array.from({ length: count }, (_, number) => number);
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
}
