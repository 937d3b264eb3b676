// Hands mails to a catcher of mail by SMTP, and reads everything that its interface says of each.

import { connect } from 'node:net';
import { once } from 'node:events';

import { eventually } from '../eventually.ts';
import { SmtpClient } from '../smtp/smtp-client.ts';
import { type Answers, type Fields, type Known, toFields } from './fields.ts';
import type { PeerMail } from './peer-mails.ts';

export interface Catcher {
  readonly smtpPort: number;
  /** The origin of its interface. */
  readonly origin: string;
}

/** Resolves with undefined when the connection is turned away. */
async function greet(port: number): Promise<SmtpClient | undefined> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const client = new SmtpClient(socket);
  if ((await client.readReply()).startsWith('220')) return client;
  socket.destroy();
  return undefined;
}

/** In order; returns the recipients of those that were accepted. */
async function sendAll(port: number, mails: readonly PeerMail[]): Promise<ReadonlySet<string>> {
  // On a busy machine a connection is turned away now and then.
  const client = await eventually(() => greet(port), 'the service greets');
  const exchange = async (text: string): Promise<string> => {
    client.send(Buffer.from(text, 'latin1'));
    return client.readReply();
  };
  const accepted = new Set<string>();
  await exchange('EHLO client.example.org\r\n');
  for (const { text, recipient } of mails) {
    await exchange('RSET\r\n');
    await exchange('MAIL FROM:<sender@example.org>\r\n');
    await exchange(`RCPT TO:<${recipient}>\r\n`);
    await exchange('DATA\r\n');
    const reply = await exchange(`${text.replace(/^\./gm, '..')}.\r\n`);
    if (reply.startsWith('250')) accepted.add(recipient);
  }
  await exchange('QUIT\r\n');
  client.socket.destroy();
  return accepted;
}

interface Got {
  readonly status: number;
  readonly type: string;
  readonly body: unknown;
}

async function get(url: string): Promise<Got> {
  const { status, type, bytes } = await getBytes(url);
  const text = bytes.toString();
  const isJson = type.startsWith('application/json');
  return { status, type, body: isJson ? (JSON.parse(text) as unknown) : text };
}

async function getBytes(url: string): Promise<{ status: number; type: string; bytes: Buffer }> {
  const answer = await fetch(url);
  const type = answer.headers.get('content-type') ?? '';
  return { status: answer.status, type, bytes: Buffer.from(await answer.arrayBuffer()) };
}

type Describe = (mail: PeerMail) => Promise<Fields>;

async function describeAll(mails: readonly PeerMail[], accepted: ReadonlySet<string>, describe: Describe) {
  const answers: Record<string, Fields> = {};
  for (const mail of mails) {
    const isAccepted = accepted.has(mail.recipient);
    answers[mail.name] = isAccepted ? { accepted: true, ...(await describe(mail)) } : { accepted: false };
  }
  return answers;
}

interface Listed {
  readonly ID: string;
  readonly To: readonly { readonly Address: string }[] | null;
  readonly Bcc: readonly { readonly Address: string }[] | null;
}

interface Full {
  readonly Inline?: readonly { readonly PartID: string }[];
  readonly Attachments?: readonly { readonly PartID: string }[];
}

/** Asks Mailpit's interface for every mail: its line in the list, and each form of it. */
export async function askMailpit(catcher: Catcher, mails: readonly PeerMail[]): Promise<Answers> {
  const startedAt = Date.now();
  const accepted = await sendAll(catcher.smtpPort, mails);
  const list = (await get(`${catcher.origin}/api/v1/messages?limit=1000`)).body as { messages: Listed[] };
  return describeAll(mails, accepted, async ({ text, recipient }) => {
    const summary = list.messages.find(({ Bcc, To }) =>
      [...(Bcc ?? []), ...(To ?? [])].some(({ Address }) => Address === recipient),
    );
    if (!summary) throw new Error(`The list has no mail for ${recipient}.`);
    const path = `${catcher.origin}/api/v1/message/${summary.ID}`;
    const [raw, headers] = [await getRaw(`${path}/raw`, text), await get(`${path}/headers`)];
    const message = await get(path);
    const { Inline = [], Attachments = [] } = message.body as Full;
    const parts: Record<string, Got> = {};
    for (const { PartID: part } of [...Inline, ...Attachments]) {
      parts[part] = await get(`${path}/part/${part}`);
    }
    const html = await get(`${catcher.origin}/view/${summary.ID}.html`);
    const plain = await get(`${catcher.origin}/view/${summary.ID}.txt`);
    const all = { summary, message, headers, raw: raw.shown, parts, html, text: plain };
    const texts = new Map([
      [catcher.origin, 'origin'],
      [summary.ID, 'ID'],
      [recipient, 'recipient'],
    ]);
    return toFields(all, { texts, run: [startedAt, Date.now()], rawBytes: raw.bytes });
  });
}

interface FullOfInbucket {
  readonly attachments?: readonly { readonly 'download-link': string }[];
}

/** Asks Inbucket's interface likewise. */
export async function askInbucket(catcher: Catcher, mails: readonly PeerMail[]): Promise<Answers> {
  const startedAt = Date.now();
  const accepted = await sendAll(catcher.smtpPort, mails);
  return describeAll(mails, accepted, async ({ text, recipient }) => {
    const name = recipient.replace(/@.*/, '');
    const path = `${catcher.origin}/api/v1/mailbox/${name}`;
    const [header] = (await get(path)).body as { id: string }[];
    if (!header) throw new Error(`The mailbox ${name} is empty.`);
    const message = await get(`${path}/${header.id}`);
    const source = await getRaw(`${path}/${header.id}/source`, text);
    const { attachments = [] } = message.body as FullOfInbucket;
    const files: Got[] = [];
    for (const file of attachments) files.push(await get(file['download-link']));
    const texts = new Map([
      [catcher.origin, 'origin'],
      [recipient, 'recipient'],
      [`/mailbox/${name}/${header.id}/`, '/mailbox/name/id/'],
    ]);
    const known: Known = { texts, run: [startedAt, Date.now()], rawBytes: source.bytes };
    const shown = toFields({ header, message, source: source.shown, files }, known);
    return { ...shown, ...sameName(shown, name, header.id) };
  });
}

/** Numbers of messages and names of mailboxes are of one run. */
function sameName(fields: Fields, name: string, id: string): Fields {
  const changed: Record<string, string> = {};
  for (const [path, value] of Object.entries(fields)) {
    if (path.endsWith('.mailbox') && value === name) changed[path] = 'name';
    if (/^(?:header|message\.body)\.id$/.test(path) && value === id) changed[path] = 'id';
  }
  return changed;
}

/** Each service puts its own trace above a message; what follows must be the message as sent. */
async function getRaw(url: string, sent: string): Promise<{ shown: Got; bytes: number }> {
  const { status, type, bytes } = await getBytes(url);
  const text = bytes.toString('latin1');
  const isWithLf = text.endsWith(sent.replaceAll('\r\n', '\n'));
  const body = text.endsWith(sent) ? 'as sent' : isWithLf ? 'as sent, with LF' : text;
  return { shown: { status, type, body }, bytes: bytes.length };
}
