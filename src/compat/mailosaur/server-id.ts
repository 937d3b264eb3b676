// The id of the one server that a token gives access to. Clients insist on eight characters.

import { createHash } from 'node:crypto';
import { captureLabel } from '../../domain/addresses/capture.ts';
import type { Session } from '../../domain/session.ts';

const characters = 'abcdefghjkmnpqrstuvwxyz23456789';
const idChars = 8;

/**
 * A capture session's label, so that mail to `x@ID.DOMAIN` reaches it. An ordinary session has only one address: its
 * id is derived from its key, reveals nothing of it, and never changes.
 */
export function toServerId(session: Pick<Session, 'address' | 'key'>): string {
  const label = captureLabel(session);
  if (label !== undefined) return label;
  const digest = createHash('sha256').update('mailosaur server').update(session.key).digest();
  return Array.from(digest.subarray(0, idChars), (byte) => characters[byte % characters.length]).join('');
}
