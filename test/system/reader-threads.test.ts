// The threads that read mail, as the built service starts them: none for an idle service, one as soon as a session
// exists, and no jsdom for ordinary mail. A modified build reports each start of a thread.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, inject, it, onTestFinished } from 'vitest';

import { copyBuild } from '../support/service/copy-build.ts';
import { eventually } from '../support/eventually.ts';
import { type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { connectTo, sendMail } from '../support/smtp/smtp-client.ts';

/** Prepends code to the file that writes a line to standard error in whichever thread runs it. */
async function makeTell(file: string, line: string): Promise<void> {
  const code = await readFile(file, 'utf8');
  await writeFile(
    file,
    `import{writeSync as tellOnce}from'node:fs';tellOnce(2,${JSON.stringify(`${line}\n`)});${code}`,
  );
}

async function buildTelling(): Promise<string> {
  const { buildDir, remove } = await copyBuild(inject('buildDir'));
  onTestFinished(remove);
  await makeTell(path.join(buildDir, 'packages/mail-threads', 'reader-worker.js'), 'a reader starts');
  await makeTell(
    path.join(buildDir, 'packages/mail-threads', 'reader-worker.jsdom-window.js'),
    'jsdom is loaded',
  );
  return buildDir;
}

function count({ log }: MayflyProcess, line: string): number {
  return log.split('\n').filter((one) => one === line).length;
}

async function deliver({ smtpPort }: MayflyProcess, to: string, html: string): Promise<void> {
  const smtp = await connectTo(smtpPort);
  await smtp.readReply();
  await smtp.command('EHLO client.test');
  const mail = `From: a@client.test\r\nSubject: S\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}\r\n`;
  expect(await sendMail(smtp, mail, to)).toMatch(/^250 /);
}

it('has one reader from the first session on, also after a start, and none before', async () => {
  const buildDir = await buildTelling();
  const folder = await useDataFolder();
  const first = await startMayfly(folder, {}, { buildDir });
  onTestFinished(async () => void (await first.stop()));
  expect((await first.call('/healthz')).status).toBe(200);
  expect((await first.call('/')).status).toBe(200);
  expect(count(first, 'a reader starts')).toBe(0);
  const { email, token } = await first.lend();
  await eventually(async () => (count(first, 'a reader starts') > 0 ? true : undefined), 'a reader starts');
  await first.lend();
  await deliver(first, email, '<p>Your code is <b>482913</b></p>');
  expect(await first.checkMail(token)).toMatchObject([{ id: 1 }]);
  expect(await first.readMail(token, 1)).toMatchObject({ html: expect.stringContaining('<b>482913</b>') });
  // All of it in the same thread.
  expect(count(first, 'a reader starts')).toBe(1);
  expect(await first.stop()).toBe(0);

  const second = await startMayfly(folder, {}, { buildDir });
  onTestFinished(async () => void (await second.stop()));
  await eventually(async () => (count(second, 'a reader starts') > 0 ? true : undefined), 'a reader starts');
});

it('loads jsdom for mail whose markup is in doubt, and for no other', async () => {
  const buildDir = await buildTelling();
  const folder = await useDataFolder();
  const mayfly = await startMayfly(folder, {}, { buildDir });
  onTestFinished(async () => void (await mayfly.stop()));
  const { email, token } = await mayfly.lend();
  const row =
    '<tr><td style="padding:8px"><a href="https://example.org/">An offer</a><img src="https://example.org/b.png">';
  await deliver(mayfly, email, `<style>.a{color:red}</style><table>${row.repeat(100)}</table>`);
  expect(await mayfly.readMail(token, 1)).toMatchObject({ html: expect.stringContaining('An offer') });
  expect(count(mayfly, 'jsdom is loaded')).toBe(0);
  // The Kelvin sign: DOMPurify takes it for a k, our own DOM's proof does not.
  await deliver(mayfly, email, '<mar\u212a>x</mar\u212a>');
  // Having read the first one took a number too.
  const [{ id } = { id: 0 }, ...others] = await mayfly.checkMail(token);
  expect(others).toMatchObject([{ id: 1 }]);
  expect(await mayfly.readMail(token, id)).toMatchObject({ html: expect.stringContaining('x') });
  expect(count(mayfly, 'jsdom is loaded')).toBe(1);
});
