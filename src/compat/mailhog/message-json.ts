// One message in MailHog's JSON. Bodies stay transfer-encoded and header values undecoded, because its clients decode
// them.

import { setImmediate as nextTurn } from 'node:timers/promises';

import { stringifyWellFormed } from '#http-parts/answer';
import type { WholeMail } from '../../service/mail/whole-mail.ts';
import { type Content, readContent, readFields } from './content.ts';
import { type Piece, toTextPiece } from './json-pieces.ts';

/** `recipients`: the session's own. */
export async function writeMessage(mail: WholeMail, recipients: readonly string[]): Promise<Piece[]> {
  const { stored, meta, raw } = mail;
  const { mailFrom } = meta.envelope;
  const content = readContent(raw);
  const pieces = new PieceWriter(mail);
  pieces.add('{"ID":', String(stored.id), ',"From":', toPath(mailFrom ?? ''));
  pieces.add(',"To":', recipients.map(toPath), ',"Content":');
  await pieces.addContent({ ...content, headers: withTrace(mail, content.headers), parts: undefined });
  pieces.add(',"Created":', new Date(stored.receivedAt).toISOString(), ',"MIME":');
  await pieces.addParts(content.parts);
  pieces.add(',"Raw":{"From":', mailFrom ?? '', ',"To":', recipients, ',"Data":');
  await pieces.addText({ start: 0, end: raw.length });
  pieces.add(',"Helo":', meta.source.helo, '}}');
  return pieces.take();
}

/** Writes literal JSON and values alternately. */
class PieceWriter {
  readonly #mail: WholeMail;
  readonly #pieces: Piece[] = [];

  constructor(mail: WholeMail) {
    this.#mail = mail;
  }

  /** Literal JSON at even positions, values at odd ones. */
  add(...turns: readonly unknown[]): void {
    for (const [at, turn] of turns.entries()) {
      this.#pieces.push(at % 2 === 0 ? (turn as string) : stringifyWellFormed(turn));
    }
  }

  async addText(range: Content['body']): Promise<void> {
    this.#pieces.push(await toTextPiece(this.#mail, range));
  }

  async addContent({ headers, body, sizeBytes, parts }: Content): Promise<void> {
    this.add('{"Headers":', Object.fromEntries(headers), ',"Body":');
    await this.addText(body);
    this.add(',"Size":', sizeBytes, ',"MIME":');
    await this.addParts(parts);
    this.add('}');
  }

  async addParts(parts: readonly Content[] | undefined): Promise<void> {
    if (!parts) {
      this.add('null');
      return;
    }
    this.add('{"Parts":[');
    for (const [at, part] of parts.entries()) {
      if (at > 0) this.add(',');
      await this.addContent(part);
      await nextTurn();
    }
    this.add(']}');
  }

  /** Merges adjacent texts. */
  take(): Piece[] {
    const joined: Piece[] = [];
    for (const piece of this.#pieces) {
      const last = joined.at(-1);
      if (typeof piece === 'string' && typeof last === 'string') joined[joined.length - 1] = last + piece;
      else joined.push(piece);
    }
    return joined;
  }
}

/** Like MailHog, adds trace fields to the displayed header. */
function withTrace({ stored, trace }: WholeMail, headers: Content['headers']): Content['headers'] {
  const all = new Map(headers);
  const spellings = new Map([...headers.keys()].map((name) => [name.toLowerCase(), name]));
  for (const [name, values] of readFields(trace)) {
    const spelled = spellings.get(name.toLowerCase()) ?? name;
    all.set(spelled, [...(all.get(spelled) ?? []), ...values]);
  }
  if (!spellings.has('message-id')) all.set('Message-ID', [String(stored.id)]);
  return all;
}

interface Path {
  readonly Relays: null;
  readonly Mailbox: string;
  readonly Domain: string;
  readonly Params: '';
}

function toPath(address: string): Path {
  const at = address.lastIndexOf('@');
  const [mailbox, domain] = at === -1 ? [address, ''] : [address.slice(0, at), address.slice(at + 1)];
  return { Relays: null, Mailbox: mailbox, Domain: domain, Params: '' };
}
