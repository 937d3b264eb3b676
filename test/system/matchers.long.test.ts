// Matchers for mail in the runners themselves, from the published package: Vitest, Jest and Playwright run suites that
// pass, and suites whose failures must say what is wrong.

import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { headlessShell } from '../support/page/chromium.ts';
import { type ClientFolder, installClients } from '../support/clients/installed-clients.ts';
import { runProgram } from '../support/servers/run-program.ts';
import { spawnDev } from '../support/service/dev-process.ts';
import type { MayflyProcess } from '../support/service/mayfly-process.ts';

let service: MayflyProcess;
let folder: ClientFolder;
let temp: string;

beforeAll(async () => {
  temp = await mkdtemp(path.join(tmpdir(), 'mayfly-matchers-'));
  service = await spawnDev({ temp });
  folder = await installClients(
    ['typescript', 'playwright'],
    ['vitest', 'jest', '@playwright/test', 'playwright', 'playwright-core', 'nodemailer'],
  );
  await cp('test/fixtures/matchers', folder.path, { recursive: true });
  await cp('test/fixtures/playwright', folder.path, { recursive: true });
  await writeFile(path.join(folder.path, 'package.json'), '{"type":"module"}');
  await writeFile(
    path.join(folder.path, 'vitest.config.mjs'),
    `export default { test: { globals: true, testTimeout: 60_000, include: ['*.test.mjs'], setupFiles: ['mayfly-client/vitest'] } };`,
  );
  await writeFile(
    path.join(folder.path, 'jest.config.mjs'),
    `export default { testTimeout: 60_000, testMatch: ['**/*.test.mjs'], transform: {}, setupFilesAfterEnv: ['mayfly-client/jest'] };`,
  );
}, 180_000);

afterAll(async () => {
  await service.stop('SIGKILL');
  await folder.remove();
  await rm(temp, { recursive: true, force: true });
});

async function run(words: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder.path,
    MAYFLY_URL: service.origin,
    SERVICE: service.origin,
    SMTP_PORT: String(service.smtpPort),
    CHROMIUM: headlessShell,
    NO_COLOR: '1',
    FORCE_COLOR: '0',
    ...more,
  };
  const { stdout, stderr } = await runProgram(process.execPath, words, { cwd: folder.path, env });
  return stdout + stderr;
}

const runners = {
  Vitest: (file: string, ...words: string[]) =>
    run(['node_modules/vitest/vitest.mjs', 'run', file, ...words]),
  Jest: (file: string, ...words: string[]) =>
    run(['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', file, ...words]),
};

it.each(['Vitest', 'Jest'] as const)(
  'pass in %s, and say why they fail',
  async (name) => {
    const runner = runners[name];
    expect(await runner('passing.test.mjs')).toMatch(/Tests +1 passed|Tests: +1 passed/);
    const [snapshot = ''] = await readdir(path.join(folder.path, '__snapshots__'));
    const text = await readFile(path.join(folder.path, '__snapshots__', snapshot), 'utf8');
    for (const line of [
      'Subject: Welcome to the shop',
      'Hello, your code is [code].',
      'It is good until [date].',
      'https://shop.example/verify/[token]?user=[token]',
      '[address]',
    ]) {
      expect(text).toContain(line);
    }
    await rm(path.join(folder.path, '__snapshots__'), { recursive: true });
    await runner('failing.test.mjs');
    const changed = path.join(folder.path, 'failing.test.mjs');
    const code = await readFile(changed, 'utf8');
    await writeFile(
      changed,
      code.replace(
        'await send(inbox.email, welcome(1));\n  await expect(await',
        "await send(inbox.email, { ...welcome(2), text: 'Changed. Your code is 482915.' });\n  await expect(await",
      ),
    );
    const output = await runner('failing.test.mjs');
    await writeFile(changed, code);
    await rm(path.join(folder.path, '__snapshots__'), { recursive: true });
    for (const part of [
      'The report on "Hello {{name}}" has',
      'error links/misleading at html:2:4',
      'The text names www.bank.example, but the link leads to evil.example.',
      'Let the text name the host that the link leads to',
      '> href="https://evil.example/">www.bank.example</a>',
      'has not received a message with subject "Welcome" with code "111111"',
      '"Welcome to the shop" from hello@shop.example: its code is "482914", not "111111"',
      '+ Changed. Your code is [code].',
      'toPassReport takes a message as an inbox returned it',
    ]) {
      expect(output).toContain(part);
    }
  },
  120_000,
);

it.each([
  ['', 'mayfly-client/jest', ''],
  ['globals', 'mayfly-client/jest-globals', "const { expect, test } = require('@jest/globals');"],
])(
  'pass in Jest without ES modules%s',
  async (name, entry, head) => {
    const file = `commonjs${name}.test.cjs`;
    await writeFile(
      path.join(folder.path, `jest${name}.config.cjs`),
      `module.exports = { testTimeout: 60_000, testMatch: ['**/${file}'], transform: {}, injectGlobals: ${String(head === '')}, setupFilesAfterEnv: ['${entry}'] };`,
    );
    await writeFile(
      path.join(folder.path, file),
      `${head}
const { Mayfly } = require('mayfly-client');
const nodemailer = require('nodemailer');
test('one', async () => {
  const inbox = await new Mayfly().createInbox();
  const { SMTP_PORT } = process.env;
  const mail = { from: 'shop@shop.example', to: inbox.email, subject: 'Welcome', text: 'Your code is 482914.' };
  await nodemailer.createTransport({ port: Number(SMTP_PORT) }).sendMail(mail);
  await expect(inbox).toHaveReceived({ subject: 'Welcome', code: '482914' });
  await expect(await inbox.waitForMessage()).toMatchMailSnapshot();
  await expect(inbox).toHaveReceived({ subjet: 'Welcome' });
});
`,
    );
    const output = await run(['node_modules/jest/bin/jest.js', '-c', `jest${name}.config.cjs`]);
    expect(output).toContain('toHaveReceived has no option "subjet"');
    expect(output).toContain('1 snapshot written');
  },
  120_000,
);

it('pass in Playwright, say why they fail, and take pictures of a message', async () => {
  const words = ['node_modules/@playwright/test/cli.js', 'test', '--config=suite-config.ts', '--workers=1'];
  const update = [...words, '--update-snapshots', '--reporter=line', '-g', 'passes'];
  expect(await run(update, { SUITE: 'matchers.ts' })).toContain('1 passed');
  expect(await run([...words, '--reporter=line', '-g', 'passes'], { SUITE: 'matchers.ts' })).toContain(
    '1 passed',
  );
  // As Git checks it out on Windows.
  const [snapshots = ''] = (await readdir(folder.path)).filter((name) =>
    name.endsWith('matchers.ts-snapshots'),
  );
  const [snapshot = ''] = await readdir(path.join(folder.path, snapshots));
  const file = path.join(folder.path, snapshots, snapshot);
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll('\n', '\r\n'));
  const output = await run([...words, '--reporter=json'], { SUITE: 'matchers.ts' });
  const report = JSON.parse(output.slice(output.indexOf('{'))) as {
    suites: { specs: { title: string; tests: { results: Result[] }[] }[] }[];
  };
  const resultOf = (title: string): Result => {
    const spec = report.suites.flatMap(({ specs }) => specs).find((one) => one.title === title);
    const [result] = spec?.tests.flatMap(({ results }) => results) ?? [];
    if (result === undefined) throw new Error(`${title} was not run: ${output.slice(0, 2000)}`);
    return result;
  };
  const errorOf = (title: string): string =>
    resultOf(title)
      .errors.map(({ message }) => message)
      .join('\n');
  expect(resultOf('passes').errors).toEqual([]);
  expect(errorOf('fails by its report')).toContain('error leftover/placeholder at html:1:');
  expect(errorOf('fails by what came')).toContain('its code is "482914", not "111111"');
  expect(errorOf('fails by its snapshot')).toContain('Subject: Changed');
  const pictures = resultOf('passes').attachments.filter(({ name }) => name.startsWith('mail-'));
  const sizes = pictures.slice(0, 4).map(({ name, body = '' }) => {
    const { width, data } = PNG.sync.read(Buffer.from(body, 'base64'));
    return [name, width, data[0]];
  });
  expect(sizes).toEqual([
    ['mail-320-light.png', 320, 255],
    ['mail-320-dark.png', 320, 0],
    ['mail-700-light.png', 700, 255],
    ['mail-700-dark.png', 700, 0],
  ]);
}, 180_000);

interface Result {
  readonly errors: readonly { readonly message: string }[];
  readonly attachments: readonly { readonly name: string; readonly body?: string }[];
}
