// Mail over TLS, and with addresses in UTF-8, from clients that are not ours to the built service with the
// certificate that it makes for itself.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createDataFolder, type Lent, type MayflyProcess, startMayfly } from '../support/mayfly-process.ts';
import { startPostfix } from '../support/postfix-relay.ts';
import { runWell } from '../support/run-program.ts';

const raw = 'From: J <j@client.test>\r\nSubject: over TLS\r\n\r\n.a line with a dot\r\nthe end\r\n';
/** Goes out by SMTPUTF8, since its sender does. */
const utf8Sender = 'jörg@client.test';
const cleanups: (() => Promise<unknown>)[] = [];
let mayfly: MayflyProcess;
let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mayfly-tls-clients-'));
  cleanups.push(() => rm(folder, { recursive: true }));
  file = path.join(folder, 'mail.eml');
  await writeFile(file, raw);
  const data = await createDataFolder();
  cleanups.push(data.remove);
  mayfly = await startMayfly(data.path, { MAYFLY_LIMITS_RATE: 'off', MAYFLY_SMTP_HOSTNAME: 'mx.test' });
  cleanups.push(() => mayfly.stop());
});

afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean();
});

/** The one message of a session, once it has come. */
async function rawOf({ token }: Lent): Promise<string> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const [message] = await mayfly.checkMail(token);
    if (message) return (await mayfly.rawMail(token, message.id)).toString();
    await delay(50);
  }
  throw new Error('Nothing came.');
}

async function expectTaken(lent: Lent, sender: string, protocol: string): Promise<void> {
  const text = await rawOf(lent);
  expect(text.startsWith(`Return-Path: <${sender}>\r\n`)).toBe(true);
  expect(text).toMatch(new RegExp(`\\r\\n\\tby mx\\.test with ${protocol} \\(TLSv1\\.3 \\w+\\) id `));
  expect(text.endsWith(raw)).toBe(true);
}

const smtplib = `
import smtplib, ssl, sys
port, sender, recipient, file = sys.argv[1:]
context = ssl._create_unverified_context()
with smtplib.SMTP('127.0.0.1', int(port), local_hostname='python.test') as client:
    client.starttls(context=context)
    client.ehlo()
    options = [] if sender.isascii() else ['SMTPUTF8', 'BODY=8BITMIME']
    client.sendmail(sender, [recipient], open(file, 'rb').read(), options)
`;

const aiosmtplib = `
import aiosmtplib, asyncio, sys
port, sender, recipient, file = sys.argv[1:]
async def send():
    client = aiosmtplib.SMTP(
        hostname='127.0.0.1', port=int(port), local_hostname='aio.test', start_tls=True, validate_certs=False)
    async with client:
        options = [] if sender.isascii() else ['SMTPUTF8', 'BODY=8BITMIME']
        await client.sendmail(sender, [recipient], open(file, 'rb').read(), mail_options=options)
asyncio.run(send())
`;

type Client = (port: number, sender: string, recipient: string) => Promise<unknown>;

const clients: Record<string, Client> = {
  'Python smtplib': (port, sender, recipient) =>
    runWell('python3', ['-c', smtplib, String(port), sender, recipient, file]),
  aiosmtplib: (port, sender, recipient) =>
    runWell('node_modules/.test-python/bin/python', [
      '-c',
      aiosmtplib,
      String(port),
      sender,
      recipient,
      file,
    ]),
};

describe.each(Object.entries(clients))('%s', (_, send) => {
  it.each([
    ['j@client.test', 'ESMTPS'],
    [utf8Sender, 'UTF8SMTPS'],
  ])('delivers over TLS from %s', async (sender, protocol) => {
    const lent = await mayfly.lend();
    await send(mayfly.smtpPort, sender, lent.email);
    await expectTaken(lent, sender, protocol);
  });
});

describe("Go's net/smtp", () => {
  it('delivers over TLS', { timeout: 180_000 }, async () => {
    const lent = await mayfly.lend();
    const program = path.join(folder, 'send');
    const env = { ...process.env, GO111MODULE: 'off', CGO_ENABLED: '0' };
    await runWell('go', ['build', '-o', program, 'test/fixtures/clients/send.go'], { env });
    await runWell(program, [String(mayfly.smtpPort), 'j@client.test', lent.email, file]);
    // It asks for SMTPUTF8 wherever that is offered.
    await expectTaken(lent, 'j@client.test', 'UTF8SMTPS');
  });
});

describe('Postfix that encrypts where it can', () => {
  it('relays over TLS, from an address in UTF-8 too', async () => {
    const postfix = await startPostfix(mayfly.smtpPort, {
      smtp_tls_security_level: 'may',
      smtp_tls_loglevel: '1',
    });
    try {
      for (const [sender, protocol] of [
        ['j@client.test', 'ESMTPS'],
        [utf8Sender, 'UTF8SMTPS'],
      ] as const) {
        const lent = await mayfly.lend();
        const options = sender === utf8Sender ? `['SMTPUTF8', 'BODY=8BITMIME']` : '[]';
        const inTheClear = smtplib
          .replace(/ +client\.starttls.*\n/, '')
          .replace(/options = .*/, `options = ${options}`);
        await runWell('python3', ['-c', inTheClear, String(postfix.port), sender, lent.email, file]);
        await expectTaken(lent, sender, protocol);
      }
      expect(await postfix.readLog()).toContain('Untrusted TLS connection established to 127.0.0.1');
    } finally {
      await postfix.close();
    }
  });
});
