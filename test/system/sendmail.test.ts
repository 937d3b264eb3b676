// `mayfly sendmail`: what programs that call sendmail send, and the inbox of a worker.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createTransport } from 'nodemailer';
import { beforeAll, expect, inject, it, onTestFinished } from 'vitest';

import { comeAgain } from '../support/faults/come-again.ts';
import { devEnvironment, newTemp, rootOf, sharedToken, spawnDev } from '../support/service/dev-process.ts';
import { type Finished, runProgram } from '../support/servers/run-program.ts';
import type { MayflyProcess } from '../support/service/mayfly-process.ts';

let mayfly: MayflyProcess;
let temp: string;

beforeAll(async () => {
  temp = mkdtempSync(path.join(tmpdir(), 'mayfly-sendmail-'));
  mayfly = await spawnDev({ temp });
  return async () => {
    await mayfly.stop();
    rmSync(temp, { recursive: true, force: true });
  };
});

function environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return devEnvironment({ temp, environment: { SMTP_URL: `smtp://127.0.0.1:${mayfly.smtpPort}`, ...more } });
}

function sendmail(words: readonly string[], input: string, more?: Record<string, string>): Promise<Finished> {
  const main = path.join(inject('buildDir'), 'main.js');
  return runProgram(process.execPath, [main, 'sendmail', ...words], { env: environment(more), input });
}

interface Summary {
  readonly To: readonly { readonly Address: string }[];
  readonly Bcc: readonly { readonly Address: string }[];
  readonly Subject: string;
}

async function newest(login = ''): Promise<Summary> {
  const headers =
    login === '' ? undefined : { authorization: `Basic ${Buffer.from(`${login}:x`).toString('base64')}` };
  const answer = await fetch(`${rootOf(mayfly)}/api/v1/message/latest`, headers ? { headers } : {});
  expect(answer.status).toBe(200);
  return (await answer.json()) as Summary;
}

it('sends what -t finds in the header, Bcc only in the envelope', async () => {
  const sent = await sendmail(
    ['-t', '-i'],
    'To: Ann <ann@y.example>\nBcc: hidden@y.example\nSubject: by header\n\n.\nbody\n',
  );
  expect(sent).toEqual({ status: 0, stdout: '', stderr: '' });
  const { Bcc, To, Subject } = await newest();
  expect(Subject).toBe('by header');
  expect([...To, ...Bcc].map(({ Address }) => Address)).toEqual(['ann@y.example', 'hidden@y.example']);
});

it('sends to the inbox of a worker', async () => {
  const sent = await sendmail(['-t'], 'To: a@y.example\nSubject: of a worker\n\nx\n', { MAYFLY_WORKER: '3' });
  expect(sent.status).toBe(0);
  expect((await newest('worker-3')).Subject).toBe('of a worker');
});

it.each([
  ['without recipients', [], {}, 64],
  ['with an option that it does not know', ['-y'], {}, 64],
  ['when nothing listens', ['a@y.example'], { SMTP_URL: 'smtp://127.0.0.1:1' }, 75],
] as const)('ends with its status of sysexits.h %s', async (_name, words, more, status) => {
  const ended = await sendmail(words, 'x', more);
  expect(ended.status).toBe(status);
  expect(ended.stderr).toMatch(/^mayfly sendmail: .+\n$/);
});

it('ends with EX_NOUSER for a recipient that is refused, and EX_TEMPFAIL for one to try again', async () => {
  const token = await sharedToken(mayfly);
  const fail = (code: string) =>
    fetch(`${rootOf(mayfly)}/mayfly/smtp-faults`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams({ stage: 'mail', code, clear: '1' }),
    });
  onTestFinished(async () => {
    await fetch(`${rootOf(mayfly)}/mayfly/smtp-faults?clear=1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
  });
  await fail('553');
  expect((await sendmail(['a@y.example'], 'x')).status).toBe(69);
  await fail('451');
  expect((await sendmail(['a@y.example'], 'x')).status).toBe(75);
});

it('speaks SMTP with -bs', async () => {
  const main = path.join(inject('buildDir'), 'main.js');
  const child = spawn(process.execPath, [main, 'sendmail', '-bs'], { env: environment() });
  const steps = [
    'EHLO x',
    'MAIL FROM:<a@x.example>',
    'RCPT TO:<b@y.example>',
    'DATA',
    'Subject: spoken\r\n\r\nx\r\n.',
    'QUIT',
  ];
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (/^\d{3} [^\n]*\n$/m.test(text) && steps.length > 0) child.stdin.write(`${steps.shift() ?? ''}\r\n`);
  });
  const [status] = (await once(child, 'close')) as [number];
  expect(status).toBe(0);
  expect(output).toMatch(/^220 [^]*\n354 [^]*\n221 [^]*\n$/);
  expect((await newest()).Subject).toBe('spoken');
});

it('is sendmail to a program that has only its path', async () => {
  const folder = newTemp();
  const link = path.join(folder, 'sendmail');
  symlinkSync(path.resolve('bin/mayfly.mjs'), link);
  const transport = createTransport({ sendmail: true, path: link, newline: 'unix' });
  const before = process.env['SMTP_URL'];
  process.env['SMTP_URL'] = `smtp://127.0.0.1:${mayfly.smtpPort}`;
  onTestFinished(() => {
    if (before === undefined) delete process.env['SMTP_URL'];
    else process.env['SMTP_URL'] = before;
  });
  await comeAgain(() =>
    transport.sendMail({
      from: 'a@x.example',
      to: 'b@y.example',
      bcc: 'c@y.example',
      subject: 'by nodemailer',
      text: '.\n',
    }),
  );
  const { Subject, Bcc } = await newest();
  expect([Subject, Bcc.map(({ Address }) => Address)]).toEqual(['by nodemailer', ['c@y.example']]);
});
