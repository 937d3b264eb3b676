// Whether a message is what a search asks for, as MailHog decides it: the words anywhere, in any case, in the addresses of
// the envelope and a field of the header, or in body and header as they came.

import { setImmediate as nextTurn } from 'node:timers/promises';

import type { WholeMail } from '../../service/whole-mail.ts';
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

/** In slices that overlap by what is sought, so that the thread is free in between. */
async function bodyHolds(body: Buffer, wanted: string): Promise<boolean> {
  const overlap = Buffer.byteLength(wanted) * 3;
  for (let at = 0; at < body.length; at += sliceBytes) {
    if (at > 0) await nextTurn();
    const slice = body.toString('utf8', at, at + sliceBytes + overlap);
    if (slice.toLowerCase().includes(wanted)) return true;
  }
  return false;
}
