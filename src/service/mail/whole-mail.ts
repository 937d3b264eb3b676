// Reads a message as received, for interfaces that show its bytes unchanged. Whole messages take turns in memory, as in
// parsing.

import type { MessageMeta } from '../../domain/message.ts';
import type { MailStore, StoredMessage } from '../../store/mail-store.ts';
import { openMeta } from '../session/open-meta.ts';
import { getStored, type WholeRawDeps, withWholeRaw } from './whole-raw.ts';
import { openRawRange } from '../session/sealed-raw.ts';
import { traceFields } from '../session/trace-fields.ts';
import type { OpenSession } from '../session/session-access.ts';

export interface WholeMail {
  readonly stored: StoredMessage;
  readonly meta: MessageMeta;
  /** Our Return-Path and Received fields, which are not part of `raw`. */
  readonly trace: string;
  readonly raw: Buffer;
  /** Reads a range of `raw` again, `end` exclusive, chunk by chunk; may be called later. */
  readonly openRange: OpenRange;
}

export type OpenRange = (range: { readonly start: number; readonly end: number }) => AsyncIterable<Buffer>;

/** A separate function, so that the closure does not hold the bytes. */
function rangesOf(mail: MailStore, session: OpenSession, id: number): OpenRange {
  return ({ start, end }) => openRawRange(mail, session, { id, start, end });
}

/**
 * Returns the result of `use`, which must not keep `raw`.
 * @throws MayflyError message_not_found, unavailable when too many are in memory
 */
export async function useWholeMail<T>(
  deps: WholeRawDeps & { readonly hostname: string },
  session: OpenSession,
  { id, use }: { readonly id: number; readonly use: (mail: WholeMail) => Promise<T> },
): Promise<T> {
  const { mail, hostname } = deps;
  const stored = await getStored(mail, session, id);
  const meta = openMeta(session, stored);
  const trace = traceFields(meta, { hostname, at: stored.receivedAt });
  const openRange = rangesOf(mail, session, id);
  return withWholeRaw(deps, { session, stored }, ({ buffer, byteOffset, byteLength }) =>
    use({ stored, meta, trace, openRange, raw: Buffer.from(buffer, byteOffset, byteLength) }),
  );
}
