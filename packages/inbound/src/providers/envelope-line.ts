// The envelope as the first line of a body, in JSON, before the message itself.

import { malformed } from '../intake.ts';

const lineMaxBytes = 64 * 1024;
const recipientsMax = 1000;

export interface GivenEnvelope {
  readonly mailFrom: string;
  readonly rcptTo: readonly string[];
}

/** Parses `{"from":"…","to":["…"]}`, in which an empty or absent `from` is the empty reverse-path. @throws InboundRefusal */
export function parseEnvelope(text: string): GivenEnvelope {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed('The envelope is not JSON.');
  }
  const { from = '', to } = (typeof value === 'object' && value !== null ? value : {}) as {
    from?: unknown;
    to?: unknown;
  };
  const rcptTo = Array.isArray(to) ? (to as unknown[]) : [to];
  const isList = rcptTo.length > 0 && rcptTo.length <= recipientsMax && rcptTo.every(isText);
  if (!isText(from) || !isList) throw malformed('The envelope must have `from` and a list `to`.');
  return { mailFrom: from, rcptTo };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 2000;
}

/** Splits a body into its first line and the rest, as it arrives. */
export class EnvelopeLine {
  readonly #take: (piece: Buffer) => void;
  #pieces: Buffer[] | undefined = [];
  #bytes = 0;
  #envelope: GivenEnvelope | undefined;

  constructor(take: (piece: Buffer) => void) {
    this.#take = take;
  }

  /** @throws InboundRefusal */
  push(bytes: Buffer): void {
    if (!this.#pieces) {
      this.#take(bytes);
      return;
    }
    const at = bytes.indexOf(10);
    this.#bytes += at === -1 ? bytes.length : at;
    if (this.#bytes > lineMaxBytes) throw malformed('The first line, with the envelope, is too long.');
    this.#pieces.push(at === -1 ? bytes : bytes.subarray(0, at));
    if (at === -1) return;
    this.#envelope = parseEnvelope(Buffer.concat(this.#pieces).toString());
    this.#pieces = undefined;
    if (at + 1 < bytes.length) this.#take(bytes.subarray(at + 1));
  }

  /** @throws InboundRefusal when the body ended before it */
  end(): GivenEnvelope {
    if (!this.#envelope) throw malformed('The body must be one line with the envelope, and the message.');
    return this.#envelope;
  }
}
