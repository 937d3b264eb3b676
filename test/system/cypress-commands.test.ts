// The commands for Cypress, from the published package, against `mayfly dev`. They run in a stand-in for Cypress
// (test/support/clients/cypress-driver.ts describes which part); their types, and the example in the documentation, are
// compiled with those of the real one.

import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { type Chain, CypressDriver, type Task } from '../support/clients/cypress-driver.ts';
import { spawnDev } from '../support/service/dev-process.ts';
import { type ClientFolder, installClients } from '../support/clients/installed-clients.ts';
import type { MayflyProcess } from '../support/service/mayfly-process.ts';
import { printedLines } from '../support/printed-lines.ts';
import { runProgram } from '../support/servers/run-program.ts';
import { greet } from '../support/smtp/smtp-client.ts';

interface Handle {
  readonly id: string;
  readonly email: string;
  readonly domain?: string;
}

type Cy = Readonly<Record<string, (...given: unknown[]) => Chain>>;

let service: MayflyProcess;
let folder: ClientFolder;
let driver: CypressDriver;
let cy: Cy;
/** Everything passed from Node to the browser. */
let yielded: string[];

beforeAll(async () => {
  const temp = await mkdtemp(path.join(tmpdir(), 'mayfly-cypress-'));
  service = await spawnDev({ temp });
  folder = await installClients(['typescript', 'cypress'], ['@types/node']);
  return async () => {
    await service.stop('SIGKILL');
    await folder.remove();
    await rm(temp, { recursive: true, force: true });
  };
});

beforeEach(async () => {
  driver = new CypressDriver();
  cy = driver.cy as unknown as Cy;
  yielded = [];
  const dist = path.join(folder.path, 'node_modules/@mayfly/cypress/dist');
  const { mayflyTasks } = (await import(`${dist}/tasks.js`)) as {
    mayflyTasks: (on: CypressDriver['on'], config: object) => void;
  };
  const on = (event: 'task', tasks: Record<string, Task>): void => {
    const recorded = Object.entries(tasks).map(([name, task]): [string, Task] => [
      name,
      async (given) => {
        const result = await task(given);
        yielded.push(JSON.stringify(result));
        return result;
      },
    ]);
    driver.on(event, Object.fromEntries(recorded));
  };
  mayflyTasks(on, { env: { MAYFLY_URL: service.origin } });
  for (const [name, value] of Object.entries(driver.globals)) vi.stubGlobal(name, value);
  // Each spec loads the support file again.
  await import(`${dist}/index.js?${Math.random()}`);
  return () => {
    vi.unstubAllGlobals();
  };
});

async function send(to: string, subject: string, body: string): Promise<void> {
  const smtp = await greet(service.smtpPort);
  expect(await smtp.deliver(`Subject: ${subject}\r\n\r\n${body}\r\n`, to)).toMatch(/^250/);
}

it('yields the code, the link and the message of an inbox', async () => {
  const seen: unknown[] = [];
  await driver.run(() => {
    cy['mayflyInbox']!({ prefix: 'sign-up' }).then((inbox: Handle) => {
      expect(inbox).toEqual({ id: expect.any(String), email: 'sign-up@mayfly.test' });
      // In Cypress the page under test triggers it.
      void send(inbox.email, 'Welcome', 'Your code is 482913. https://shop.example/verify?token=abc');
      cy['mayflyCode']!(inbox).then((code) => void seen.push(code));
      cy['mayflyLink']!(inbox, { host: 'shop.example' }).then(
        ({ url }: { url: string }) => void seen.push(url),
      );
      cy['mayflyMessage']!(inbox, { subject: 'welcome' }).then((message) => void seen.push(message));
      cy['mayflyMessages']!(inbox).then((messages) => void seen.push(messages));
      cy['mayflyDeliveryLog']!(inbox).then((log) => void seen.push(log));
    });
  });
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(seen).toMatchObject([
    '482913',
    'https://shop.example/verify?token=abc',
    { subject: 'Welcome', receivedAt: at, attachments: [] },
    [{ subject: 'Welcome', receivedAt: at }],
    [{ outcome: 'accepted', at }],
  ]);
});

it('yields all mail of a mailbox’s domain', async () => {
  const subjects: string[] = [];
  await driver.run(() => {
    cy['mayflyMailbox']!().then((mailbox: Handle) => {
      void send(`buyer@${mailbox.domain}`, 'for the buyer', 'one').then(() =>
        send(`seller@${mailbox.domain}`, 'for the seller', 'two'),
      );
      const keep = ({ subject }: { subject: string }): void => void subjects.push(subject);
      cy['mayflyMessage']!(mailbox, { to: 'seller@' }).then(keep);
      cy['mayflyMessage']!(mailbox, { to: 'buyer@' }).then(keep);
    });
  });
  expect(subjects).toEqual(['for the seller', 'for the buyer']);
});

it('says in the failure what arrived instead', async () => {
  const failed = driver.run(() => {
    cy['mayflyInbox']!().then((inbox: Handle) => {
      void send(inbox.email, 'Newsletter', 'nothing to type');
      cy['mayflyMessage']!(inbox);
      cy['mayflyCode']!(inbox, { timeout: 1000 });
    });
  });
  await expect(failed).rejects.toThrow(
    /cy\.task\('mayfly:code'\) failed[^]*No message with a code came to[^]*"Newsletter".*no code in it/,
  );
});

it('gives Cypress more time than the wait takes', async () => {
  await driver.run(() => {
    cy['mayflyInbox']!().then((inbox: Handle) => {
      void send(inbox.email, 'x', 'Your code is 482913.');
      cy['mayflyCode']!(inbox, { timeout: 90_000 });
    });
  });
  expect(driver.timeouts.at(-1)).toBeGreaterThan(95_000);
});

it('ends the inboxes with the spec, and says so to later callers', async () => {
  let handle: Handle | undefined;
  const prefix = 'ends-with-its-spec';
  await driver.run(() => {
    cy['mayflyInbox']!({ prefix }).then((inbox: Handle) => void (handle = inbox));
  });
  await expect(service.lend({ prefix })).rejects.toThrow('address_taken');
  await driver.runHooks();
  expect((await service.lend({ prefix })).email).toBe(handle?.email);
  const later = driver.run(() => cy['mayflyCode']!(handle));
  await expect(later).rejects.toThrow(/No inbox ends-with-its-spec@.*: it ended with the spec/);
});

describe('the Cypress log', () => {
  it('names commands and addresses, and no token or ticket', async () => {
    await driver.run(() => {
      cy['mayflyInbox']!({ prefix: 'shown' }).then((inbox: Handle) => {
        void send(inbox.email, 'Page', 'text').then(() =>
          send(inbox.email, 'Page 2\r\nContent-Type: text/html', '<p>Your code is 482913'),
        );
        cy['mayflyMessage']!(inbox);
        cy['mayflyMessage']!(inbox);
      });
      cy['mayflyMailbox']!();
    });
    await driver.runHooks();
    expect(driver.log.slice(0, 2)).toEqual([
      JSON.stringify({ name: 'mayflyInbox', message: 'shown@mayfly.test' }),
      JSON.stringify({ name: 'mayflyMessage', message: 'shown@mayfly.test' }),
    ]);
    expect(yielded.join('\n')).toContain('482913');
    for (const text of [...driver.log, ...yielded]) {
      expect(text).not.toMatch(/mf_|token|ticket|password/i);
    }
  });
});

it('has types compatible with Cypress’s, also in the printed examples', { timeout: 300_000 }, async () => {
  const modules = path.join(folder.path, 'node_modules');
  await symlink(
    path.resolve('node_modules/.test-clients/node_modules/cypress'),
    path.join(modules, 'cypress'),
  );
  const page = 'clients/cypress.md';
  const readme = '../clients/cypress/README.md';
  const files = ['cypress.config.ts', 'support.ts', 'sign-up.cy.ts'];
  for (const [nth, name] of files.entries()) {
    const code = printedLines(page, { language: 'ts', nth });
    expect(printedLines(readme, { language: 'ts', nth })).toBe(code);
    expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
    await writeFile(path.join(folder.path, name), code);
  }
  const compilerOptions = {
    target: 'ES2023',
    lib: ['ES2023', 'DOM'],
    module: 'NodeNext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['cypress', 'node'],
  };
  await writeFile(path.join(folder.path, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(path.join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const compiler = path.resolve('node_modules/typescript/bin/tsc');
  const output = await runProgram(process.execPath, [compiler, '-p', folder.path]);
  expect(output).toEqual({ status: 0, stdout: '', stderr: '' });
});
