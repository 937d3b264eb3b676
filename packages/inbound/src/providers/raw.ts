// Mail from the operator's own programs, and from our worker at Cloudflare: a line with the envelope and the bytes of
// the message, signed together.

import type { InboundMail, InboundRequest, Intake } from '../intake.ts';
import { StandardWebhook } from '../signatures/standard-webhook.ts';
import { toleranceMs } from '../signatures/timestamp.ts';
import { EnvelopeLine } from './envelope-line.ts';

/** A retry has a signature of its own, but the id of the first attempt. */
const keptMs = 24 * 60 * 60_000 + 2 * toleranceMs;

export class RawIntake implements Intake {
  readonly #signature: StandardWebhook;
  readonly #line: EnvelopeLine;

  /** @throws InboundRefusal */
  constructor(request: InboundRequest, secret: string) {
    this.#signature = new StandardWebhook(request, secret);
    this.#line = new EnvelopeLine(request.take);
  }

  push(bytes: Buffer): void {
    this.#signature.push(bytes);
    this.#line.push(bytes);
  }

  async end(): Promise<InboundMail> {
    this.#signature.check();
    const { id } = this.#signature;
    return {
      kind: 'mail',
      ...this.#line.end(),
      id,
      proof: { id, keptMs, binds: '' },
    };
  }
}
