// Mail over TLS, and with addresses in UTF-8, from independent clients to the built service with an operator's
// certificate. With the service's self-made one, clients on the same machine send unencrypted.

import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { comeAgain } from '../support/faults/come-again.ts';
import { makeCertificate } from '../support/servers/certificate.ts';
import {
  createDataFolder,
  type Lent,
  type MayflyProcess,
  startMayfly,
} from '../support/service/mayfly-process.ts';
import { startPostfix } from '../support/servers/postfix-relay.ts';
import { runWell } from '../support/servers/run-program.ts';

const raw = 'From: J <j@client.test>\r\nSubject: over TLS\r\n\r\n.a line with a dot\r\nthe end\r\n';
/** Sent with SMTPUTF8, because of its sender. */
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
  const [certFile, keyFile] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  const { cert, key } = makeCertificate('mx.test');
  await Promise.all([writeFile(certFile, cert), writeFile(keyFile, key)]);
  mayfly = await startMayfly(data.path, {
    MAYFLY_LIMITS_RATE: 'off',
    MAYFLY_SMTP_HOSTNAME: 'mx.test',
    MAYFLY_SMTP_TLS_CERT_FILE: certFile,
    MAYFLY_SMTP_TLS_KEY_FILE: keyFile,
  });
  cleanups.push(() => mayfly.stop());
});

afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean();
});

/** Returns the only message of a session, once it has arrived. */
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
  it('delivers over TLS', { timeout: 300_000 }, async () => {
    const lent = await mayfly.lend();
    const program = path.join(folder, 'send');
    const env = { ...process.env, GO111MODULE: 'off', CGO_ENABLED: '0' };
    await runWell('go', ['build', '-o', program, 'test/fixtures/clients/send.go'], { env });
    await runWell(program, [String(mayfly.smtpPort), 'j@client.test', lent.email, file]);
    // It uses SMTPUTF8 wherever that is offered.
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

describe('without a certificate of the operator', () => {
  let own: MayflyProcess;

  beforeAll(async () => {
    const data = await createDataFolder();
    cleanups.push(data.remove);
    own = await startMayfly(data.path, { MAYFLY_SMTP_PROXY_ADDRESSES: '127.0.0.2' });
    cleanups.push(() => own.stop());
  });

  it('nodemailer delivers from the same machine without any setting', async () => {
    const { email, token } = await own.lend();
    const transport = createTransport({ host: '127.0.0.1', port: own.smtpPort });
    await comeAgain(() => transport.sendMail({ from: 'a@b.test', to: email, subject: 'x', text: 'y' }));
    transport.close();
    expect(await own.checkMail(token)).toHaveLength(1);
  });

  it('other machines are offered STARTTLS, the same machine is not', async () => {
    const greetings = async (localAddress: string, header: string): Promise<string> => {
      const socket = connect({ port: own.smtpPort, host: '127.0.0.1', localAddress });
      let text = '';
      socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
      socket.write(header);
      while (!text.includes('220 ')) await once(socket, 'data');
      socket.write('EHLO client.test\r\nSTARTTLS\r\n');
      while (!/^(?:220 2|502)/m.test(text)) await once(socket, 'data');
      socket.destroy();
      return text;
    };
    const local = await greetings('127.0.0.1', '');
    expect(local).toContain('502 5.5.1 ');
    expect(local).not.toContain('STARTTLS');
    const far = await greetings('127.0.0.2', 'PROXY TCP4 192.0.2.7 127.0.0.1 12345 25\r\n');
    expect(far).toContain('250-STARTTLS\r\n');
    expect(far).toContain('220 2.0.0 ');
  });
});
