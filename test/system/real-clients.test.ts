// Mail delivered to the built service by independent clients is read back byte for byte and as a reader sees it.
// Postfix relays through its queue, like mail from the Internet.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  createDataFolder,
  type Lent,
  type MayflyProcess,
  startMayfly,
} from '../support/service/mayfly-process.ts';
import { comeAgain } from '../support/faults/come-again.ts';
import { type PostfixRelay, startPostfix } from '../support/servers/postfix-relay.ts';
import { runWell } from '../support/servers/run-program.ts';
import { type SentMail, sentMails, sha256 } from '../support/mail/sent-mails.ts';

const sender = 'sender@client.test';
const cleanups: (() => Promise<unknown>)[] = [];
let mayfly: MayflyProcess;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mayfly-mails-'));
  cleanups.push(() => rm(folder, { recursive: true }));
  const data = await createDataFolder();
  cleanups.push(data.remove);
  mayfly = await startMayfly(data.path, { MAYFLY_LIMITS_SESSION_MESSAGES: '0', MAYFLY_LIMITS_RATE: 'off' });
  cleanups.push(() => mayfly.stop());
  for (const mail of sentMails) {
    await writeFile(fileOf(mail), mail.raw);
    await writeFile(`${fileOf(mail)}.wire`, toWire(mail.raw));
  }
});

afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean();
});

function fileOf(mail: SentMail): string {
  return path.join(folder, `${sentMails.indexOf(mail)}.eml`);
}

/**
 * Prepares bytes for swaks, which is to leave them unchanged: dots doubled, with the final one but for its line end.
 */
function toWire(raw: Buffer): Buffer {
  const stuffed = `\r\n${raw.toString('latin1')}`.replaceAll('\r\n.', '\r\n..').slice(2);
  return Buffer.from(`${stuffed}.`, 'latin1');
}

/** Sends the file unchanged from the sender to the recipient. */
type Client = (port: number, mail: SentMail, recipient: string) => Promise<unknown>;

const smtplib = `
import smtplib, sys
port, sender, recipient, file = sys.argv[1:]
with smtplib.SMTP('127.0.0.1', int(port), local_hostname='python.test') as client:
    client.sendmail(sender, [recipient], open(file, 'rb').read(), ['BODY=8BITMIME'])
`;

const python: Client = (port, mail, recipient) =>
  runWell('python3', ['-c', smtplib, String(port), sender, recipient, fileOf(mail)]);

const clients: Record<string, Client> = {
  swaks: (port, mail, recipient) =>
    runWell('swaks', [
      ...['--server', '127.0.0.1', '--port', String(port), '--helo', 'swaks.test', '--pipeline'],
      ...['--from', sender, '--to', recipient, '--silent', '3'],
      ...['--no-data-fixup', '--data', `@${fileOf(mail)}.wire`],
    ]),
  'Python smtplib': python,
  nodemailer: async (port, { raw }, recipient) => {
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true, name: 'nodemailer.test' });
    await comeAgain(() => transport.sendMail({ envelope: { from: sender, to: [recipient] }, raw }));
    transport.close();
  },
};

/** Returns the only message of a session, without the two fields Mayfly adds. */
async function readOnly({ token }: Lent): Promise<{ id: number; raw: Buffer; trace: string }> {
  const messages = await mayfly.checkMail(token);
  expect(messages).toHaveLength(1);
  const { id } = messages[0]!;
  const whole = await mayfly.rawMail(token, id);
  const [trace = ''] =
    /^Return-Path: <[^\r\n]*>\r\nReceived: (?:[^\r\n]*\r\n\t)*[^\r\n]*\r\n/.exec(
      whole.toString('latin1', 0, 2000),
    ) ?? [];
  return { id, raw: whole.subarray(trace.length), trace };
}

async function expectShown({ token }: Lent, id: number, mail: SentMail): Promise<void> {
  const [listed] = await mayfly.checkMail(token);
  const shown = {
    sender_name: mail.senderName,
    sender_email: mail.senderEmail === '' ? sender : mail.senderEmail,
    subject: mail.subject,
  };
  expect(listed).toMatchObject(shown);
  const read = await mayfly.readMail(token, id);
  expect(read).toMatchObject({ ...shown, text: mail.text, parse: 'ok' });
  expect(read.envelope.mail_from).toBe(sender);
  expect(read.attachments.map(({ filename, size }) => ({ filename, size }))).toEqual(
    mail.attachments.map(({ filename, size }) => ({ filename, size })),
  );
  if (mail.attachmentHash === undefined) return;
  const file = await mayfly.call(read.attachments[0]!.url);
  expect(sha256(Buffer.from(await file.arrayBuffer()))).toBe(mail.attachmentHash);
}

describe.each(Object.entries(clients))('%s', (_, send) => {
  it.each(sentMails.map((mail) => [mail.name, mail] as const))('delivers %s', async (_, mail) => {
    const lent = await mayfly.lend();
    await send(mayfly.smtpPort, mail, lent.email);
    const { id, raw, trace } = await readOnly(lent);
    expect(raw.equals(mail.raw)).toBe(true);
    expect(trace).toMatch(
      /^Return-Path: <sender@client\.test>\r\nReceived: from \S+ \(\[127\.0\.0\.1\]\)\r\n\tby /,
    );
    expect(trace).toContain(`\tfor <${lent.email}>;`);
    await expectShown(lent, id, mail);
  });
});

describe('smtp-source', () => {
  it('delivers 60 messages over 6 connections at once, and each is there', async () => {
    const lent = await mayfly.lend();
    const counts = ['-s', '6', '-m', '60', '-l', '5000', '-M', 'source.test', '-d'];
    await runWell('smtp-source', [
      ...counts,
      ...['-f', sender, '-t', lent.email, '-S', 'from the source', `inet:127.0.0.1:${mayfly.smtpPort}`],
    ]);
    const messages = await mayfly.checkMail(lent.token);
    expect(messages.map(({ id }) => id)).toEqual(Array.from({ length: 60 }, (_, at) => 60 - at));
    expect(new Set(messages.map(({ subject }) => subject))).toEqual(new Set(['from the source']));
  });
});

describe('Postfix', () => {
  let postfix: PostfixRelay;
  const lents = new Map<SentMail, Lent>();

  beforeAll(async () => {
    postfix = await startPostfix(mayfly.smtpPort);
    cleanups.push(() => postfix.close());
    for (const mail of sentMails) {
      const lent = await mayfly.lend();
      lents.set(mail, lent);
      await python(postfix.port, mail, lent.email);
    }
  });

  async function arrived(mail: SentMail): Promise<Lent> {
    const lent = lents.get(mail)!;
    for (let attempt = 0; attempt < 600; attempt++) {
      if ((await mayfly.checkMail(lent.token)).length > 0) return lent;
      await delay(50);
    }
    throw new Error(`Nothing came by way of Postfix: ${await postfix.readLog()}`);
  }

  it.each(sentMails.map((mail) => [mail.name, mail] as const))('relays %s', async (_, mail) => {
    const lent = await arrived(mail);
    const { id, raw, trace } = await readOnly(lent);
    expect(trace).toContain('Received: from relay.test ([127.0.0.1])\r\n');
    // Postfix adds a field at the start, and the empty line that a message without header fields lacks.
    const [received = ''] =
      /^Received: (?:[^\r\n]*\r\n\t)*[^\r\n]*\r\n/.exec(raw.toString('latin1', 0, 2000)) ?? [];
    const added = received + (mail.name === 'no headers at all' ? '\r\n' : '');
    expect(received).toContain('by relay.test (Postfix)');
    expect(raw.equals(Buffer.concat([Buffer.from(added), mail.raw]))).toBe(true);
    await expectShown(lent, id, mail);
  });

  it('learns at once that an address is unknown, and bounces only that', async () => {
    const log = await postfix.readLog();
    expect(log).not.toMatch(/status=(?:deferred|bounced)/);
    await python(postfix.port, sentMails[0]!, 'nobody-of-this-name@mayfly.test');
    for (let attempt = 0; attempt < 200; attempt++) {
      if ((await postfix.readLog()).includes('status=bounced')) break;
      await delay(50);
    }
    expect(await postfix.readLog()).toMatch(/dsn=5\.1\.1, status=bounced .*550 5\.1\.1/);
  });
});
