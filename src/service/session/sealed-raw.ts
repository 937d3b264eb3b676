// Reads the raw bytes of stored messages, sealed in chunks by deliver-to-sessions, one chunk in memory at a time.

import { messageNotFound, unlessDeleted } from '../../domain/gone.ts';
import { sealHeaderBytes } from '#sealing/sealed-format';
import { sealOverheadBytes } from '#sealing/seal';
import type { MailStore, StoredMessage } from '../../store/mail-store.ts';
import type { OpenSession } from './session-access.ts';

/**
 * Yields the bytes of a stored message as received, chunk by chunk.
 * @throws MayflyError message_not_found, session_expired, before the first byte or between any two
 */
export function openRaw(mail: MailStore, session: OpenSession, id: number): AsyncGenerator<Buffer, void> {
  return openRawRange(mail, session, { id, start: 0, end: Infinity });
}

/** Yields a range of the bytes, `end` exclusive, chunk by chunk, without decrypting what precedes it. */
export async function* openRawRange(
  mail: MailStore,
  session: OpenSession,
  { id, start, end }: { readonly id: number; readonly start: number; readonly end: number },
): AsyncGenerator<Buffer, void> {
  let header: Uint8Array | undefined;
  let from = 0;
  for await (const sealed of mail.readRaw(session.key, id)) {
    // Only the first chunk has it.
    const chunk: Uint8Array = header ? sealed : sealed.subarray(sealHeaderBytes);
    header ??= sealed.subarray(0, sealHeaderBytes);
    const to = from + chunk.length - sealOverheadBytes;
    // An empty message is opened too: its seal is checked.
    if (to > start || start === 0) {
      yield session.reading.openPart('raw', header, chunk).subarray(Math.max(0, start - from), end - from);
    }
    from = to;
    if (from >= end) return;
  }
}

/**
 * Returns the whole message in a buffer of its own (not a slice of a pool), which can be transferred to another
 * thread.
 */
export async function readWholeRaw(
  mail: MailStore,
  session: OpenSession,
  stored: Pick<StoredMessage, 'id' | 'sizeBytes'>,
): Promise<Uint8Array> {
  const whole = new Uint8Array(stored.sizeBytes);
  let filled = 0;
  for await (const chunk of openRaw(mail, session, stored.id)) {
    whole.set(chunk, filled);
    filled += chunk.length;
  }
  if (filled !== stored.sizeBytes) {
    // The store was reclaiming it.
    if (!(await mail.findMessage(session.key, stored.id))) throw messageNotFound();
    throw new Error('The stored message is shorter than its size.');
  }
  return whole;
}

/**
 * Returns a copy of the first bytes, which can be transferred to another thread; undefined if the message has been
 * deleted meanwhile.
 */
export async function readHead(
  mail: MailStore,
  session: OpenSession,
  { id, bytesMax }: { id: number; bytesMax: number },
): Promise<Uint8Array | undefined> {
  const first = await unlessDeleted(openRaw(mail, session, id).next());
  return first && new Uint8Array(first.done ? [] : first.value.subarray(0, bytesMax));
}
