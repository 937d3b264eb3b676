// Decides whether a message matches a search, like MailHog: the words anywhere, in any case, in the envelope's
// addresses and a header field, or in the raw body and header.

import { setImmediate as nextTurn } from 'node:timers/promises';

import type { WholeMail } from '../../service/mail/whole-mail.ts';
import { type Content, readContent } from './content.ts';

export interface Query {
  readonly kind: 'from' | 'to' | 'containing';
  readonly words: string;
}

const sliceBytes = 256 * 1024;

/** `recipients`: the session's own. */
export async function matchesQuery(
  { meta, raw }: WholeMail,
  recipients: readonly string[],
  { kind, words }: Query,
): Promise<boolean> {
  const wanted = words.toLowerCase();
  const holds = (text: string): boolean => text.toLowerCase().includes(wanted);
  const { headers, body } = readContent(raw);
  if (kind === 'from') return holds(meta.envelope.mailFrom ?? '') || valuesOf(headers, 'From').some(holds);
  if (kind === 'to') return recipients.some(holds) || valuesOf(headers, 'To').some(holds);
  return [...headers.values()].flat().some(holds) || bodyHolds(raw.subarray(body.start, body.end), wanted);
}

function valuesOf(headers: Content['headers'], name: string): readonly string[] {
  return headers.get(name) ?? [];
}

/** Searches in slices that overlap by the length of the text, to yield the thread in between. */
async function bodyHolds(body: Buffer, wanted: string): Promise<boolean> {
  const overlap = Buffer.byteLength(wanted) * 3;
  for (let at = 0; at < body.length; at += sliceBytes) {
    if (at > 0) await nextTurn();
    const slice = body.toString('utf8', at, at + sliceBytes + overlap);
    if (slice.toLowerCase().includes(wanted)) return true;
  }
  return false;
}
