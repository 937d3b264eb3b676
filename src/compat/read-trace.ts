// The fields that this service put above a message when it came: Return-Path and Received.

import { type RawField, readHeaderFields } from '@mayfly/mail-reader/header';

import type { Services } from '../service/services.ts';
import type { OpenSession } from '../service/session/session-access.ts';

const limits = { bytesMax: 4096, fieldsMax: 2, foldsToSpace: true } as const;

/** Empty for mail of an account, which its own server traced. @throws MayflyError message_not_found */
export async function readTrace(
  services: Pick<Services, 'readRawMail'>,
  session: OpenSession,
  id: number,
): Promise<readonly RawField[]> {
  const { pieces } = await services.readRawMail(session, id);
  const iterator = pieces[Symbol.asyncIterator]();
  // They are the first piece.
  const first = await iterator.next();
  await iterator.return?.();
  return first.done === true ? [] : readHeaderFields(first.value, 0, limits).fields;
}
