// Ids in mail.tm's form, 24 hexadecimal digits. A message's id begins with part of its account's, so that ids of other
// sessions never match.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Session, SessionKey } from '../../domain/session.ts';

const idLength = 24;
const sessionPartLength = 16;

function toHex(key: SessionKey): string {
  return Buffer.from(key).toString('hex');
}

export function toAccountId({ key }: Pick<Session, 'key'>): string {
  return toHex(key).slice(0, idLength);
}

export function toMessageId({ key }: Pick<Session, 'key'>, id: number): string {
  const part = toHex(key).slice(0, sessionPartLength);
  return part + id.toString(16).padStart(idLength - sessionPartLength, '0');
}

/** @throws MayflyError message_not_found unless it is an id of the session's messages */
export function parseMessageId(session: Pick<Session, 'key'>, text: string): number {
  const id = /^[0-9a-f]{24}$/.test(text) ? parseInt(text.slice(sessionPartLength), 16) : NaN;
  // Also excludes NaN, which formats like no id.
  if (id > 0 && toMessageId(session, id) === text) return id;
  throw new MayflyError('message_not_found', 'The account has no message with this id.');
}

export function toDomainId(id: number): string {
  return id.toString(16).padStart(idLength, '0');
}
