// The published package: packed, installed into an empty folder as a user would, and run from there.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it, onTestFinished } from 'vitest';

import { environment, type MayflyProcess, untilReady } from '../support/service/mayfly-process.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { greet, sendMail } from '../support/smtp/smtp-client.ts';
import { runWell } from '../support/servers/run-program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Some of the bundled packages, which are only development dependencies. */
const bundled = [
  'fastify',
  'pino',
  'pg',
  'imapflow',
  'mailauth',
  'jsdom',
  'parse5',
  'dompurify',
  'iconv-lite',
];
/** The Kelvin sign: DOMPurify takes it for a k, our own DOM's proof does not, and leaves it to jsdom. */
const doubtfulMail =
  'From: a@client.test\r\nSubject: Doubt\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<mar\u212a>x</mar\u212a>\r\n';
/** In a charset whose table both threads read from a file. */
const chineseMail =
  'From: a@client.test\r\nSubject: =?gbk?b?xOO6ww==?=\r\nContent-Type: text/plain; charset=gbk\r\n' +
  'Content-Transfer-Encoding: base64\r\n\r\nxOO6ww==\r\n';

it('npm pack creates a program that installs and runs', { timeout: 600_000 }, async () => {
  const folder = await useDataFolder();
  const place = path.join(folder, 'empty');
  await mkdir(place);
  await runWell('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root });
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await runWell('npm', ['install', '--silent', '--no-audit', '--no-fund', path.join(folder, tarball)], {
    cwd: place,
  });
  // better-sqlite3 and the packages that fetch or compile it; everything else is bundled.
  const installed = await listInstalled(place);
  expect(installed).toContain('better-sqlite3');
  expect(installed.filter((name) => bundled.includes(name))).toEqual([]);
  expect(installed.length).toBeLessThan(50);
  expect(await runWell('npx', ['--no-install', 'mayfly', 'version'], { cwd: place })).toMatch(/^mayfly \d/);
  const mayfly = await serve(place, path.join(folder, 'data'));
  const { email, token } = await mayfly.lend();
  expect(email).toContain('@mayfly.test');
  expect(await mayfly.checkMail(token)).toEqual([]);
  expect((await mayfly.call('/docs')).status).toBe(200);
  const smtp = await greet(mayfly.smtpPort);
  expect(await sendMail(smtp, doubtfulMail, email)).toMatch(/^250 /);
  // In separate threads, jsdom included: their packages are bundled too.
  expect(await mayfly.readMail(token, 1)).toMatchObject({ html: '<mar\u212a>x</mar\u212a>\n', parse: 'ok' });
  expect(await sendMail(smtp, chineseMail, email)).toMatch(/^250 /);
  expect(await mayfly.readMail(token, 2)).toMatchObject({ subject: '\u4f60\u597d', text: '\u4f60\u597d' });
  expect(await mayfly.stop()).toBe(0);
});

async function listInstalled(place: string): Promise<string[]> {
  const lines = await runWell('npm', ['ls', '--all', '--parseable'], { cwd: place });
  const names = lines
    .split('\n')
    .flatMap((line) => /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(line)?.[1] ?? []);
  return [...new Set(names)];
}

async function serve(place: string, dataDir: string): Promise<MayflyProcess> {
  const program = path.join(place, 'node_modules', '.bin', 'mayfly');
  const env = environment(dataDir, {});
  const child = spawn(program, ['serve'], { env, cwd: place, stdio: ['ignore', 'pipe', 'pipe'] });
  endWithTest(child);
  return untilReady(child);
}

function endWithTest(child: ChildProcess): void {
  onTestFinished(() => void child.kill('SIGKILL'));
}
