// Independent clients authenticate to the built service as a capture session, send to any recipient, and are failed on
// purpose. The log contains nothing of their credentials.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { codeOf } from '../../packages/system-errors/src/error-code.ts';
import { comeAgain } from '../support/faults/come-again.ts';
import { createDataFolder, type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { runProgram } from '../support/servers/run-program.ts';
import { greet } from '../support/smtp/smtp-client.ts';

interface Capture {
  readonly token: string;
  readonly smtp: { readonly username: string; readonly password: string };
}

const sender = 'sender@client.test';
const raw = 'From: J <j@client.test>\r\nSubject: captured\r\n\r\nthe end\r\n';
const cleanups: (() => Promise<unknown>)[] = [];
let mayfly: MayflyProcess;
let file: string;

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-auth-'));
  cleanups.push(() => rm(folder, { recursive: true }));
  file = path.join(folder, 'mail.eml');
  await writeFile(file, raw);
  const data = await createDataFolder();
  cleanups.push(data.remove);
  mayfly = await startMayfly(data.path, { MAYFLY_LOG_LEVEL: 'trace' });
  cleanups.push(() => mayfly.stop());
});

afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean();
});

async function post(operation: string, given: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(mayfly.origin + operation, { method: 'POST', body: new URLSearchParams(given) });
}

async function lendCapture(): Promise<Capture> {
  const response = await post('/create-session', { capture: '1' });
  expect(response.status).toBe(200);
  return (await response.json()) as Capture;
}

const smtplib = `
import smtplib, sys
port, username, password, sender, recipient, file = sys.argv[1:]
with smtplib.SMTP('127.0.0.1', int(port), local_hostname='python.test') as client:
    client.login(username, password)
    client.sendmail(sender, [recipient], open(file, 'rb').read())
`;

interface Login {
  readonly username: string;
  readonly password: string;
}

/** Sends the file; resolves with whether it was accepted. */
type Client = (login: Login, recipient: string) => Promise<boolean>;

const swaks =
  (mechanism: string): Client =>
  async ({ username, password }, recipient) => {
    const { status } = await runProgram('swaks', [
      ...['--server', '127.0.0.1', '--port', String(mayfly.smtpPort), '--from', sender, '--to', recipient],
      ...['--auth', mechanism, '--auth-user', username, '--auth-password', password],
      ...['--data', `@${file}`, '--silent', '3'],
    ]);
    return status === 0;
  };

const curl =
  (mechanism: string): Client =>
  async ({ username, password }, recipient) => {
    const { status } = await runProgram('curl', [
      ...['--silent', '--url', `smtp://127.0.0.1:${mayfly.smtpPort}`, '--mail-from', sender],
      ...['--mail-rcpt', recipient, '--user', `${username}:${password}`],
      ...['--login-options', `AUTH=${mechanism}`, '--upload-file', file],
    ]);
    return status === 0;
  };

const nodemailer =
  (method: string): Client =>
  async ({ username: user, password: pass }, recipient) => {
    const transport = createTransport({
      host: '127.0.0.1',
      port: mayfly.smtpPort,
      authMethod: method,
      auth: { user, pass },
    });
    try {
      await comeAgain(() => transport.sendMail({ envelope: { from: sender, to: [recipient] }, raw }));
      return true;
    } catch (error) {
      expect(codeOf(error)).toBe('EAUTH');
      return false;
    } finally {
      transport.close();
    }
  };

const clients: Record<string, Client> = {
  'swaks, PLAIN': swaks('PLAIN'),
  'swaks, LOGIN': swaks('LOGIN'),
  'curl, PLAIN': curl('PLAIN'),
  'curl, LOGIN': curl('LOGIN'),
  'nodemailer, PLAIN': nodemailer('PLAIN'),
  'nodemailer, LOGIN': nodemailer('LOGIN'),
  'Python smtplib': async ({ username, password }, recipient) => {
    const given = [String(mayfly.smtpPort), username, password, sender, recipient, file];
    return (await runProgram('python3', ['-c', smtplib, ...given])).status === 0;
  },
};

describe.each(Object.entries(clients))('%s', (_, send) => {
  it('sends to any address with the right password, to none without', async () => {
    const { token, smtp } = await lendCapture();
    expect(await send(smtp, 'anybody@gmail.com')).toBe(true);
    expect(await send({ ...smtp, password: `${smtp.password}x` }, 'anybody@gmail.com')).toBe(false);
    const [message, ...others] = await mayfly.checkMail(token);
    expect([message?.subject, others]).toEqual(['captured', []]);
    const stored = (await mayfly.rawMail(token, message?.id ?? 0)).toString();
    expect(stored).toMatch(/\r\n\tby \S+ with ESMTPA id /);
  });
});

it('nodemailer fails as the session requested, and then succeeds', async () => {
  const { token, smtp } = await lendCapture();
  const rule = { token, stage: 'end_of_data', code: '452', text: '4.3.1 Full', first: '1' };
  expect((await post('/smtp-faults', rule)).status).toBe(200);
  const auth = { user: smtp.username, pass: smtp.password };
  const transport = createTransport({ host: '127.0.0.1', port: mayfly.smtpPort, auth });
  const send = (): Promise<unknown> =>
    comeAgain(() => transport.sendMail({ from: sender, to: 'anybody@gmail.com', subject: 'x', text: 'y' }));
  await expect(send()).rejects.toMatchObject({ responseCode: 452, response: '452 4.3.1 Full' });
  await send();
  transport.close();
  expect(await mayfly.checkMail(token)).toHaveLength(1);
});

it('wrong tokens over HTTP and wrong passwords over SMTP share a budget', async () => {
  const { smtp } = await lendCapture();
  let status = 0;
  for (let count = 0; count < 30 && status !== 429; count++) {
    status = (await mayfly.call('/check-mail', `mf_${'A'.repeat(43)}`)).status;
  }
  expect(status).toBe(429);
  const login = (password: string): string =>
    `AUTH PLAIN ${Buffer.from(`\0${smtp.username}\0${password}`).toString('base64')}`;
  const client = await greet(mayfly.smtpPort);
  expect(await client.command(login('wrong'))).toMatch(/^454 4\.7\.0 /);
  expect(await client.command(login(smtp.password))).toMatch(/^235 /);
});

it('the log holds no credentials', async () => {
  const { smtp } = await lendCapture();
  const { username, password } = smtp;
  const plain = Buffer.from(`\0${username}\0${password}`).toString('base64');
  const name = Buffer.from(username).toString('base64');
  const secret = Buffer.from(password).toString('base64');
  const client = await greet(mayfly.smtpPort);
  for (const line of [`AUTH PLAIN ${plain}!`, `AUTH X ${plain}`, 'AUTH LOGIN', name, `${secret}!`]) {
    await client.command(line);
  }
  expect(await client.command(`AUTH PLAIN ${plain}`)).toMatch(/^235 /);
  await client.command('QUIT');
  await mayfly.stop();
  expect(mayfly.log.length).toBeGreaterThan(0);
  for (const part of [password, secret, plain, username, name]) expect(mayfly.log).not.toContain(part);
});
