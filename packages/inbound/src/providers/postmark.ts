// Postmark's inbound webhook, set to include the raw message: JSON with the message as one text. It is not signed; its
// URL has a user and a password.

import { type InboundMail, type InboundRequest, type Intake, malformed } from '../intake.ts';
import { JsonReader, ShortOrNone, ShortText, type TextTaker } from '../parse/json-reader.ts';
import { checkBasic } from '../signatures/basic-credentials.ts';
import { OneMessage } from './one-message.ts';

/** It tries for half a day. */
const keptMs = 24 * 60 * 60_000;

export class PostmarkIntake implements Intake {
  readonly #request: InboundRequest;
  readonly #json = new JsonReader(
    (path) => this.#find(path),
    (path) => {
      if (path === 'Headers[]') this.#endHeader();
    },
  );
  readonly #members = new Map(
    ['MessageID', 'OriginalRecipient', 'FromFull.Email'].map((path) => [path, new ShortText()]),
  );
  /** The field of the header that is being read; its members come in any order. */
  #field = { name: new ShortOrNone(), value: new ShortOrNone() };
  #returnPath: string | undefined;
  readonly #message = new OneMessage((piece) => {
    this.#request.take(piece);
  }, 'The body has two messages.');

  /** @throws InboundRefusal */
  constructor(request: InboundRequest, { user, passwordHash }: { user: string; passwordHash: string }) {
    this.#request = request;
    checkBasic(request, user, passwordHash);
  }

  push(bytes: Buffer): void {
    this.#json.push(bytes);
  }

  async end(): Promise<InboundMail> {
    this.#json.end();
    const messageId = this.#members.get('MessageID')?.value ?? '';
    const recipient = this.#members.get('OriginalRecipient')?.value ?? '';
    if (messageId === '' || recipient === '') throw malformed('There is no MessageID and OriginalRecipient.');
    if (!this.#message.hasBegun) {
      throw malformed(
        'There is no RawEmail: turn on “Include raw email content in JSON payload” at Postmark.',
      );
    }
    const id = `${messageId} ${recipient}`;
    const returnPath = this.#returnPath?.trim().replace(/^<|>$/g, '');
    return {
      kind: 'mail',
      mailFrom: returnPath ?? this.#members.get('FromFull.Email')?.value ?? '',
      rcptTo: [recipient],
      id,
      proof: { id, keptMs, binds: '' },
    };
  }

  #find(path: string): TextTaker | undefined {
    if (path === 'RawEmail') return this.#message.begin();
    if (path === 'Headers[].Name') return this.#field.name;
    if (path === 'Headers[].Value') return this.#field.value;
    return this.#members.get(path);
  }

  /** The topmost Return-Path is the one that Postmark wrote. */
  #endHeader(): void {
    const { name, value } = this.#field;
    if (name.value?.toLowerCase() === 'return-path') this.#returnPath ??= value.value ?? '';
    this.#field = { name: new ShortOrNone(), value: new ShortOrNone() };
  }
}
