// A message as its bytes came, for interfaces that show them as they are. Whole messages take their turns in memory, as
// those that are parsed do.

import type { MessageMeta } from '../domain/message.ts';
import type { Session } from '../domain/session.ts';
import type { MailStore, StoredMessage } from '../store/mail-store.ts';
import { openMeta } from './open-meta.ts';
import { getStored, withWholeRaw } from './read-mail.ts';
import { openRawRange } from './sealed-raw.ts';
import { traceFields } from './trace-fields.ts';

export interface WholeMail {
  readonly stored: StoredMessage;
  readonly meta: MessageMeta;
  /** Our Return-Path and Received fields, which are not in `raw`. */
  readonly trace: string;
  readonly raw: Buffer;
  /** Reads a stretch of `raw` again, `end` exclusive, chunk by chunk; may be called later. */
  readonly openRange: OpenRange;
}

export type OpenRange = (range: { readonly start: number; readonly end: number }) => AsyncIterable<Buffer>;

/** Apart from what holds the bytes. */
function rangesOf(mail: MailStore, session: Session, id: number): OpenRange {
  return ({ start, end }) => openRawRange(mail, session, { id, start, end });
}

/**
 * What `use` makes of it; `raw` must not be kept longer.
 * @throws MayflyError message_not_found, unavailable when too many are in memory
 */
export async function useWholeMail<T>(
  { mail, hostname }: { readonly mail: MailStore; readonly hostname: string },
  session: Session,
  { id, use }: { readonly id: number; readonly use: (mail: WholeMail) => Promise<T> },
): Promise<T> {
  const stored = await getStored(mail, session, id);
  const meta = openMeta(session, stored);
  const trace = traceFields(meta, { hostname, at: stored.receivedAt });
  const openRange = rangesOf(mail, session, id);
  return withWholeRaw({ mail, session, stored }, ({ buffer, byteOffset, byteLength }) =>
    use({ stored, meta, trace, openRange, raw: Buffer.from(buffer, byteOffset, byteLength) }),
  );
}
