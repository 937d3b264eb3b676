// The fixtures for Playwright, from the published packages: its own test runner runs the suite of
// test/fixtures/playwright against `mayfly dev`.

import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { chromium } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { Camera } from '../../clients/playwright/src/camera.ts';
import { headlessShell } from '../support/page/chromium.ts';
import { spawnDev } from '../support/service/dev-process.ts';
import { type ClientFolder, installClients } from '../support/clients/installed-clients.ts';
import type { MayflyProcess } from '../support/service/mayfly-process.ts';
import { runProgram } from '../support/servers/run-program.ts';

interface Attachment {
  readonly name: string;
  readonly contentType: string;
  readonly path?: string;
  readonly body?: string;
}

interface Attempt {
  readonly status: string;
  readonly errors: readonly { readonly message: string }[];
  readonly attachments: readonly Attachment[];
  readonly annotations: readonly { readonly type: string; readonly description?: string }[];
}

interface Suite {
  readonly specs: readonly {
    readonly title: string;
    readonly tests: readonly { readonly status: string; readonly results: readonly Attempt[] }[];
  }[];
  readonly suites?: readonly Suite[];
}

interface Report {
  readonly suites: readonly Suite[];
  readonly stats: Readonly<Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>>;
}

let service: MayflyProcess;
let folder: ClientFolder;
/** Number of requests to the URL a message tries to load. */
let trapped = 0;
let trapPort: number;
let report: Report;
let raw: string;
/** Reported by the tests. */
let tokens: Readonly<Record<'passed' | 'failed', readonly string[]>>;

beforeAll(async () => {
  const temp = await mkdtemp(path.join(tmpdir(), 'mayfly-playwright-'));
  const trap = createServer((_request, response) => {
    trapped++;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(trap, 'listening');
  trapPort = (trap.address() as AddressInfo).port;
  service = await spawnDev({ temp });
  folder = await installClients(
    ['typescript', 'playwright'],
    ['@playwright/test', 'playwright', 'playwright-core', 'nodemailer'],
  );
  await cp('test/fixtures/playwright', folder.path, { recursive: true });
  await run();
  raw = await readFile(path.join(folder.path, 'report.json'), 'utf8');
  report = JSON.parse(raw) as Report;
  const lines = await readFile(path.join(folder.path, 'tokens'), 'utf8');
  const tokensOf = (name: string): string[] =>
    [...lines.matchAll(/^(\w+)\t(mf_.+)$/gm)].flatMap(([, test, token = '']) =>
      test === name ? [token] : [],
    );
  tokens = { passed: tokensOf('passed'), failed: tokensOf('failed') };
  return async () => {
    trap.close();
    await service.stop('SIGKILL');
    await folder.remove();
    await rm(temp, { recursive: true, force: true });
  };
}, 300_000);

function run() {
  const cli = path.join(folder.path, 'node_modules/@playwright/test/cli.js');
  const env = {
    PATH: process.env['PATH'],
    HOME: folder.path,
    SERVICE: service.origin,
    SMTP_PORT: String(service.smtpPort),
    CHROMIUM: headlessShell,
    TRAP: String(trapPort),
  };
  return runProgram(process.execPath, [cli, 'test', '--config=suite-config.ts'], { cwd: folder.path, env });
}

function attemptsOf(title: string): readonly Attempt[] {
  const specs = report.suites.flatMap((suite) => [
    ...suite.specs,
    ...(suite.suites ?? []).flatMap((inner) => inner.specs),
  ]);
  const spec = specs.find((each) => each.title === title);
  if (!spec) throw new Error(`The report has no test ${title}: ${raw.slice(0, 3000)}`);
  return spec.tests.flatMap(({ results }) => results);
}

function attemptOf(title: string): Attempt {
  const [attempt] = attemptsOf(title);
  if (!attempt) throw new Error(`${title} was not run`);
  return attempt;
}

function namesOf({ attachments }: Attempt): string[] {
  // Playwright's own attachments do not count.
  const names = attachments.map(({ name }) => name);
  return names.filter((name) => /^(?:inbox|mailbox)-/.test(name)).sort();
}

function contentOf({ attachments }: Attempt, name: string): Buffer {
  const { body } = attachments.find((each) => each.name === name) ?? {};
  if (body === undefined) throw new Error(`No attachment ${name}`);
  return Buffer.from(body, 'base64');
}

it('passes a good suite: pages, mailboxes, custom fixtures, and mail that stays with its test', () => {
  expect(report.stats).toMatchObject({ expected: 18, unexpected: 4, flaky: 1, skipped: 0 });
  const passed = attemptOf('signs up on a page – mit Ümläuten');
  expect([passed.status, namesOf(passed)]).toEqual(['passed', []]);
  expect(namesOf(attemptOf('a failure that is expected'))).toEqual([]);
});

it('gives a retry a new address', () => {
  const emails = attemptsOf('passes the second time').map(({ annotations }) => annotations[0]?.description);
  expect(emails).toHaveLength(2);
  expect(emails[0]).toMatch(/^passes-the-second-time-w\d+-r0-/);
  expect(emails[1]).toMatch(/^passes-the-second-time-w\d+-r1-/);
});

describe('a failure', () => {
  it('has the mail, its picture and the delivery log in the report', () => {
    const failed = attemptOf('has mail when it fails');
    expect(failed.errors.map(({ message }) => message).join()).toContain('what it is not');
    expect(namesOf(failed)).toEqual([
      'inbox-delivery-log.json',
      'inbox-delivery-log.txt',
      'inbox-mail-1.eml',
      'inbox-mail-1.png',
      'inbox-mail-2.eml',
      'mailbox-delivery-log.json',
      'mailbox-delivery-log.txt',
      'mailbox-mail-1.eml',
    ]);
    expect(contentOf(failed, 'inbox-mail-1.eml').toString()).toContain('>Welcome</h1>');
    expect(contentOf(failed, 'mailbox-mail-1.eml').toString()).toContain('Subject: Caught');
    const log = JSON.parse(contentOf(failed, 'inbox-delivery-log.json').toString());
    expect(log).toMatchObject({
      deliveries: [{ outcome: 'accepted' }, {}],
      messages: [{ id: 2 }, { id: 1 }],
    });
    const text = contentOf(failed, 'inbox-delivery-log.txt').toString();
    expect(text).toMatch(
      /^2 messages came to has-mail-when-it-fails-.*\nAnswers to senders:\n {2}\S+ accepted /,
    );
    expect(text).toContain('no HTML to take a picture of');
  });

  it('reports what arrived instead during a wait, also if the test left its timeout to the fixture', () => {
    const text = (title: string): string =>
      attemptOf(title)
        .errors.map(({ message }) => message)
        .join('\n');
    expect(text('waits in vain')).toMatch(
      /MailTimeout: .*No message with a code[^]*"Welcome".*no code in it/,
    );
    const byDefault = text('waits by default for less than a test may take');
    expect(byDefault).toMatch(/MailTimeout: .*within 4(\.\d)? s[^]*Nothing was sent to/);
    expect(byDefault).not.toContain('Test timeout');
  });

  it('keeps its own error if the mail is no longer available', () => {
    const failed = attemptOf('has ended its inbox itself');
    expect(failed.errors).toHaveLength(1);
    expect(failed.errors[0]?.message).toContain('what it is not');
    expect(namesOf(failed)).toEqual(['inbox-delivery-log.json', 'inbox-delivery-log.txt']);
    const text = contentOf(failed, 'inbox-delivery-log.txt').toString();
    expect(text).toMatch(/^It is not known what came to .*\nNot all could be read: The session has ended/);
  });

  it('reveals no token, neither in attachments nor in traces', async () => {
    const all = [...tokens.passed, ...tokens.failed];
    expect(all).toHaveLength(3);
    const { attachments } = attemptOf('has mail when it fails');
    const bodies = attachments.map(({ body = '' }) => Buffer.from(body, 'base64').toString('latin1'));
    const files = await readdir(path.join(folder.path, 'test-results'), {
      recursive: true,
      withFileTypes: true,
    });
    const traces = files.filter((file) => file.name.endsWith('.zip'));
    expect(traces.length).toBeGreaterThan(0);
    const unpacked = await Promise.all(
      traces.map((file) => runProgram('unzip', ['-p', path.join(file.parentPath, file.name)])),
    );
    for (const text of [raw, ...bodies, ...unpacked.map(({ stdout }) => stdout)]) {
      expect(all.filter((token) => text.includes(token))).toEqual([]);
      expect(text).not.toMatch(/ticket=/);
    }
  });
});

it('ends every inbox with its test', async () => {
  for (const token of [...tokens.passed, ...tokens.failed]) {
    expect((await service.call('/session', token)).status).toBe(410);
  }
});

describe('a picture', () => {
  it('shows what arrived with the message, and nothing was loaded for it', () => {
    const picture = contentOf(attemptOf('has mail when it fails'), 'inbox-mail-1.png');
    // The PNG signature; width and height are in the first chunk.
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    expect(picture.readUInt32BE(16)).toBe(800);
    const log = contentOf(attemptOf('has mail when it fails'), 'inbox-delivery-log.txt').toString();
    expect(log).toContain('inbox-mail-1.png');
    expect(trapped).toBe(0);
  });

  it('from unsanitised HTML runs nothing and reaches no host', async () => {
    const camera = new Camera(chromium, {
      channel: undefined,
      launchOptions: { executablePath: headlessShell },
      connectOptions: undefined,
    });
    onTestFinished(() => camera.close());
    const trap = `http://127.0.0.1:${trapPort}`;
    const html = `<!doctype html><meta http-equiv="refresh" content="0;url=${trap}/refresh">
      <link rel="stylesheet" href="${trap}/style.css"><link rel="preconnect" href="${trap}">
      <style>@import url(${trap}/import.css); body { background: url(${trap}/background.png) }</style>
      <script>fetch('${trap}/fetch'); new WebSocket('ws://127.0.0.1:${trapPort}/');</script>
      <body onload="location='${trap}/onload'"><img src="${trap}/image.png" onerror="location='${trap}/onerror'">
      <img src="/inline-image?part=1"><img src="file:///etc/passwd"><iframe src="${trap}/frame"></iframe>
      <form action="${trap}/form"><button autofocus>x</button></form><video src="${trap}/video" autoplay></video>
      <object data="${trap}/object"></object><embed src="${trap}/embed"><p style="height:9000px">tall</p>`;
    const asked: string[] = [];
    const picture = await camera.take(html, (url) => {
      asked.push(url.href);
      return Promise.resolve(undefined);
    });
    expect(picture.readUInt32BE(20)).toBe(5000);
    expect(asked).toEqual(['http://mail.invalid/inline-image?part=1']);
    expect(trapped).toBe(0);
  });
});
