// Makes a message of the body of a request to send one. Pure; runs in a thread unless the body is small, since
// validating and encoding 12 MB takes a second.

import { parseMailbox } from '#mail-receiver/address';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { JsonLimits } from '../../http/parameters/body-limits.ts';
import { buildMessage } from './build-message.ts';
import { readObject } from './read-fields.ts';
import { readSendRequest } from './send-request.ts';

export interface ComposedMessage {
  /** In a buffer of their own. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Without angle brackets. */
  readonly messageId: string;
  readonly mailFrom: string | null;
  readonly rcptTo: readonly string[];
}

/** Room for every recipient, field and file that a message may have. */
const jsonLimits: JsonLimits = { names: 2000, commas: 5000, depth: 8 };

/** @throws MayflyError malformed_body, invalid_parameter */
function composeMessage(body: Uint8Array): ComposedMessage {
  const request = readSendRequest(
    readObject(Buffer.from(body.buffer, body.byteOffset, body.length), jsonLimits),
  );
  const { bytes, messageId } = buildMessage(request);
  const { from, to, cc, bcc } = request;
  return {
    bytes: new Uint8Array(bytes),
    messageId,
    mailFrom: parseMailbox(from.email, true) ? from.email : null,
    rcptTo: [...to, ...cc].map(({ email }) => email).concat(bcc),
  };
}

/** A composed message, or why there is none, in the form that passes between threads. */
export type Composition =
  | { readonly kind: 'composed'; readonly message: ComposedMessage }
  | { readonly kind: 'refused'; readonly code: MayflyError['code']; readonly reason: string };

export function tryToCompose(body: Uint8Array): Composition {
  try {
    return { kind: 'composed', message: composeMessage(body) };
  } catch (error) {
    if (!(error instanceof MayflyError)) throw error;
    return { kind: 'refused', code: error.code, reason: error.publicMessage };
  }
}
