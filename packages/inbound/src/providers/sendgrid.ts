// SendGrid's Inbound Parse, set to post the raw message: a form with the message and its envelope. Signed when it has a
// security policy, with ECDSA over the time and the body byte for byte; else it sends the user and password of the URL.

import { fieldOf, type InboundMail, type InboundRequest, type Intake, malformed } from '../intake.ts';
import { createFormReader } from '../parse/form.ts';
import type { FormReader } from '../parse/form-reader.ts';
import { ShortText } from '../parse/json-reader.ts';
import { checkBasic } from '../signatures/basic-credentials.ts';
import { EcdsaSignature } from '../signatures/ecdsa.ts';
import { toleranceMs } from '../signatures/timestamp.ts';
import { ContentId } from './content-id.ts';
import { parseEnvelope } from './envelope-line.ts';
import { OneMessage } from './one-message.ts';

/** It tries for three days. */
const windowMs = 73 * 60 * 60_000;
const envelopeMaxBytes = 64 * 1024;

export type SendgridSecret =
  { readonly publicKey: string } | { readonly user: string; readonly passwordHash: string };

export class SendgridIntake implements Intake {
  readonly #request: InboundRequest;
  readonly #form: FormReader;
  readonly #envelope = new ShortText(envelopeMaxBytes);
  readonly #content = new ContentId();
  readonly #signature: EcdsaSignature | undefined;
  readonly #message = new OneMessage((piece) => {
    this.#content.push(piece);
    this.#request.take(piece);
  }, 'The form has two messages.');

  /** @throws InboundRefusal */
  constructor(request: InboundRequest, secret: SendgridSecret) {
    this.#request = request;
    if ('publicKey' in secret) this.#signature = new EcdsaSignature(request, secret.publicKey, windowMs);
    else checkBasic(request, secret.user, secret.passwordHash);
    this.#form = createFormReader(fieldOf(request, 'content-type') ?? '', (name) => {
      if (name === 'email') return this.#message.begin();
      return name === 'envelope' ? this.#envelope : undefined;
    });
  }

  push(bytes: Buffer): void {
    this.#signature?.push(bytes);
    this.#form.push(bytes);
  }

  async end(): Promise<InboundMail> {
    this.#signature?.check();
    this.#form.end();
    if (!this.#message.hasBegun) {
      throw malformed('There is no `email`: turn on “POST the raw, full MIME message” at SendGrid.');
    }
    const envelope = parseEnvelope(this.#envelope.value ?? '');
    const id = this.#content.end(envelope);
    const proof = { id, keptMs: windowMs + toleranceMs, binds: '' };
    return { kind: 'mail', ...envelope, id, proof };
  }
}
