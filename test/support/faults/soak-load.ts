// The load of a soak test: mail of all kinds over SMTP, readers that list, read and delete, streams that come and go.
// Errors of the service reject; slow responses are awaited.

import { setTimeout as delay } from 'node:timers/promises';

import { expect } from 'vitest';

import { type EventSourceClient, openStream } from '../clients/event-source.ts';
import type { ListedMail, MayflyProcess } from '../service/mayfly-process.ts';
import { createRandom, type Random } from '../random.ts';
import { sha256 } from '../mail/sent-mails.ts';
import { connectTo, sendMail, type SmtpClient } from '../smtp/smtp-client.ts';
import type { Mailbox, SoakMailboxes } from './soak-mailboxes.ts';

export interface SoakLoadOptions {
  readonly mayfly: MayflyProcess;
  readonly mailboxes: SoakMailboxes;
  readonly random: Random;
  readonly isOver: () => boolean;
  readonly senders: number;
  readonly readers: number;
  readonly streams: number;
  /** Mean pause of a sender and of a reader between actions. */
  readonly paceMs: number;
}

const messagesPerConnection = 50;
const streamMaxMs = 10_000;

export interface LoadFigures {
  reads: number;
  streams: number;
  events: number;
}

/** Resolves when it is over and nothing is in progress. */
export async function runSoakLoad(options: SoakLoadOptions): Promise<LoadFigures> {
  const figures: LoadFigures = { reads: 0, streams: 0, events: 0 };
  const repeat = async (work: (random: Random) => Promise<void>): Promise<void> => {
    const random = createRandom(options.random.below(2 ** 32));
    while (!options.isOver()) await work(random);
  };
  const many = (count: number, work: (random: Random) => Promise<void>): Promise<void>[] =>
    Array.from({ length: count }, () => repeat(work));
  await Promise.all([
    ...many(options.senders, (random) => sendOverOneConnection(options, random)),
    ...many(options.readers, async (random) => {
      await options.mailboxes.use((mailbox) => readOne(options.mayfly, mailbox, random));
      figures.reads += 1;
      await delay(random.below(2 * options.paceMs));
    }),
    ...many(options.streams, (random) => follow(options, random, figures)),
  ]);
  return figures;
}

async function sendOverOneConnection(
  { mayfly, mailboxes, isOver, paceMs }: SoakLoadOptions,
  random: Random,
): Promise<void> {
  const client = await connectTo(mayfly.smtpPort);
  expect(await client.readReply()).toMatch(/^220 /);
  await client.command('EHLO client.test');
  for (let sent = 0; sent < messagesPerConnection && !isOver(); sent++) {
    await mailboxes.use((mailbox) => sendOne(client, mailbox, random));
    await delay(random.below(2 * paceMs));
  }
  if (random.below(2) === 0) await client.command('QUIT');
  client.socket.destroy();
}

async function sendOne(client: SmtpClient, mailbox: Mailbox, random: Random): Promise<void> {
  const raw = mixedMail(random);
  const sum = sha256(Buffer.from(raw));
  mailbox.sent.add(sum);
  expect(await sendMail(client, raw, mailbox.lent.email)).toMatch(/^250 /);
  mailbox.acknowledged.add(sum);
}

/** Short text, HTML with pictures and links, an attachment, and now and then a large one. */
function mixedMail(random: Random): string {
  const code = String(random.below(1_000_000)).padStart(6, '0');
  const text = `Your code is ${code}.\r\n`;
  const head = `From: Shop <shop@client.test>\r\nSubject: ${random.bytes(8).toString('hex')}\r\nMIME-Version: 1.0\r\n`;
  const kind = random.below(40);
  if (kind < 16) return `${head}\r\n${text}${wrap(random.bytes(random.below(3000)))}`;
  const html = `<h1>Hello</h1><p style="color:#333">Code <b>${code}</b> <a href="https://shop.test/${code}">here</a></p>`;
  const rows = Array.from({ length: random.below(60) }, (_, row) => `<tr><td>${row}</td></tr>\r\n`).join('');
  const page = `${html}<table>${rows}</table><img src="https://shop.test/pixel.png"><script>alert(1)</script>\r\n`;
  const parts = [`Content-Type: text/plain\r\n\r\n${text}`, `Content-Type: text/html\r\n\r\n${page}`];
  if (kind < 32) return `${head}${multipart('alternative', parts)}`;
  const bytes = random.bytes(kind === 39 ? 300_000 : 10_000);
  const type = 'Content-Type: application/pdf; name="bill.pdf"\r\nContent-Transfer-Encoding: base64';
  return `${head}${multipart('mixed', [...parts, `${type}\r\n\r\n${wrap(bytes)}`])}`;
}

function wrap(bytes: Buffer): string {
  return `${bytes.toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n`;
}

function multipart(kind: string, parts: readonly string[]): string {
  const body = parts.map((part) => `--part\r\n${part}`).join('');
  return `Content-Type: multipart/${kind}; boundary=part\r\n\r\n${body}--part--\r\n`;
}

/** Reads the list and one of its messages in full, and deletes that message one time in four. */
async function readOne(mayfly: MayflyProcess, mailbox: Mailbox, random: Random): Promise<void> {
  const { token } = mailbox.lent;
  const listed = await mayfly.checkMail(token);
  if (listed.length === 0) return;
  const mail = random.pick<ListedMail>(listed);
  const answer = await mayfly.call(`/read-mail?id=${mail.id}`, token);
  // Another reader may have deleted it.
  expect([200, 404]).toContain(answer.status);
  await answer.text();
  if (random.below(4) > 0 || answer.status === 404) return;
  const raw = await mayfly.call(`/raw-mail?id=${mail.id}`, token);
  const bytes = Buffer.from(await raw.arrayBuffer());
  const gone = await fetch(`${mayfly.origin}/delete-mail?id=${mail.id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  await gone.text();
  expect([200, 404]).toContain(gone.status);
  if (gone.status !== 200) return;
  expect(raw.status).toBe(200);
  mailbox.deleted.add(sha256(bytes.subarray(bytes.length - mail.size)));
}

/**
 * Reads a stream from the beginning, which is dropped after a while or ends with its session: its events must be in
 * order, without duplicates.
 */
async function follow(
  { mayfly, mailboxes, isOver }: SoakLoadOptions,
  random: Random,
  figures: LoadFigures,
): Promise<void> {
  const port = Number(new URL(mayfly.origin).port);
  let stream: EventSourceClient | undefined;
  await mailboxes.use(async ({ lent }) => {
    stream = await openStream({ port }, { token: lent.token, query: 'after=0' });
  });
  expect(stream?.response.statusCode).toBe(200);
  const until = performance.now() + random.below(streamMaxMs);
  while (performance.now() < until && !isOver() && !stream?.isOver) await delay(100);
  stream?.close();
  const ids = stream?.events.splice(0).map(({ id }) => Number(id)) ?? [];
  expect(ids.every((id, at) => at === 0 || id > ids[at - 1]!)).toBe(true);
  figures.streams += 1;
  figures.events += ids.length;
}
