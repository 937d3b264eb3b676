// Mailgun's routes, whose forward() posts a form with the whole message when its URL ends with `mime`. Its signature
// covers a token and the time, but neither message nor envelope, so that each token is bound to the first content seen
// with it.

import { createHmac } from 'node:crypto';

import {
  fieldOf,
  type InboundMail,
  type InboundRequest,
  type Intake,
  malformed,
  unauthorized,
} from '../intake.ts';
import { createFormReader } from '../parse/form.ts';
import type { FormReader } from '../parse/form-reader.ts';
import { ShortText } from '../parse/json-reader.ts';
import { isSame } from '../signatures/basic-credentials.ts';
import { checkAge, toleranceMs } from '../signatures/timestamp.ts';
import { ContentId } from './content-id.ts';
import { OneMessage } from './one-message.ts';

/** It tries for 8 hours. */
const windowMs = 9 * 60 * 60_000;

export class MailgunIntake implements Intake {
  readonly #request: InboundRequest;
  readonly #key: string;
  readonly #form: FormReader;
  readonly #fields = new Map(
    ['timestamp', 'token', 'signature', 'sender', 'recipient'].map((name) => [name, new ShortText()]),
  );
  readonly #content = new ContentId();
  readonly #message = new OneMessage((piece) => {
    this.#content.push(piece);
    this.#request.take(piece);
  }, 'The form has two messages.');

  /** @throws InboundRefusal */
  constructor(request: InboundRequest, signingKey: string) {
    this.#request = request;
    this.#key = signingKey;
    this.#form = createFormReader(fieldOf(request, 'content-type') ?? '', (name) =>
      name === 'body-mime' ? this.#message.begin() : this.#fields.get(name),
    );
  }

  push(bytes: Buffer): void {
    this.#form.push(bytes);
  }

  async end(): Promise<InboundMail> {
    this.#form.end();
    const token = this.#checkSignature();
    if (!this.#message.hasBegun) {
      throw malformed('There is no body-mime: the URL of the route must end with /mime.');
    }
    const envelope = {
      mailFrom: this.#fields.get('sender')?.value ?? '',
      rcptTo: splitRecipients(this.#fields.get('recipient')?.value ?? ''),
    };
    const id = this.#content.end(envelope);
    const proof = { id: token, keptMs: windowMs + toleranceMs, binds: id };
    return { kind: 'mail', ...envelope, id, proof };
  }

  /** Returns the token. @throws InboundRefusal */
  #checkSignature(): string {
    const timestamp = this.#fields.get('timestamp')?.value ?? '';
    const token = this.#fields.get('token')?.value ?? '';
    const signature = this.#fields.get('signature')?.value ?? '';
    // Exactly ten digits, or the token could lend it some of its own.
    if (!/^\d{10}$/.test(timestamp) || !/^[A-Za-z0-9_-]{16,128}$/.test(token)) {
      throw unauthorized('The form has no timestamp, token and signature.');
    }
    const wanted = createHmac('sha256', this.#key)
      .update(timestamp + token)
      .digest('hex');
    if (!isSame(signature.toLowerCase(), wanted)) throw unauthorized('The signature is wrong.');
    checkAge(Number(timestamp) * 1000, this.#request.now, windowMs);
    return token;
  }
}

function splitRecipients(text: string): string[] {
  return text.includes('"') ? [text.trim()] : text.split(',').map((one) => one.trim());
}
