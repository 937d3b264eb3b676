// Raw bytes in the form the store keeps: chunks of at most 256 KiB, each sealed, made one at a time so that a large
// message is never held twice. Also the way back.

import { rawChunkBytes } from '../domain/limits.ts';
import type { RawMessage } from '../domain/message.ts';
import type { Session } from '../domain/session.ts';
import { openSealed, sealBytes, sealOverheadBytes } from '../secrets/seal.mjs';
import type { MailStore, StoredMessage } from '../store/mail-store.ts';

/** Sealed at once: memory for it is there. */
const smallBytes = 16 * 1024;

/** At least one chunk, also for an empty message. Can be iterated again. */
export function sealRaw(dataKey: Uint8Array, raw: RawMessage): Iterable<Uint8Array> {
  if (raw.sizeBytes <= smallBytes) return [sealBytes(dataKey, 'raw', raw.head())];
  return {
    *[Symbol.iterator]() {
      for (const chunk of toChunks(raw)) yield sealBytes(dataKey, 'raw', chunk);
    },
  };
}

function* toChunks(raw: RawMessage): Generator<Buffer> {
  if (raw.sizeBytes <= rawChunkBytes) {
    const pieces = [...raw.pieces()];
    yield pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    return;
  }
  let held: Buffer[] = [];
  let heldBytes = 0;
  for (const piece of raw.pieces()) {
    for (let from = 0; from < piece.length;) {
      const part = piece.subarray(from, from + rawChunkBytes - heldBytes);
      held.push(part);
      heldBytes += part.length;
      from += part.length;
      if (heldBytes === rawChunkBytes) {
        yield Buffer.concat(held, heldBytes);
        held = [];
        heldBytes = 0;
      }
    }
  }
  if (heldBytes > 0) yield Buffer.concat(held, heldBytes);
}

/** The bytes of a stored message as they came, chunk by chunk. */
export async function* openRaw(mail: MailStore, session: Session, id: number): AsyncGenerator<Buffer, void> {
  for await (const sealed of mail.readRaw(session.key, id)) yield openSealed(session.dataKey, 'raw', sealed);
}

/** A stretch of the bytes, `end` exclusive, chunk by chunk; what lies before it is not decrypted. */
export async function* openRawRange(
  mail: MailStore,
  session: Session,
  { id, start, end }: { readonly id: number; readonly start: number; readonly end: number },
): AsyncGenerator<Buffer, void> {
  let from = 0;
  for await (const sealed of mail.readRaw(session.key, id)) {
    const to = from + sealed.length - sealOverheadBytes;
    if (to > start) {
      yield openSealed(session.dataKey, 'raw', sealed).subarray(Math.max(0, start - from), end - from);
    }
    from = to;
    if (from >= end) return;
  }
}

/** The whole message in one buffer of its own (not a slice of a pool), fit to be handed to another thread. */
export async function readWholeRaw(
  mail: MailStore,
  session: Session,
  stored: StoredMessage,
): Promise<Uint8Array> {
  const whole = new Uint8Array(stored.sizeBytes);
  let filled = 0;
  for await (const chunk of openRaw(mail, session, stored.id)) {
    whole.set(chunk, filled);
    filled += chunk.length;
  }
  if (filled !== stored.sizeBytes) {
    throw new Error('The stored message is shorter than its size.');
  }
  return whole;
}
