// Reads a whole message into memory for as long as something is done with it. Whole messages take turns: readers,
// searches, lists and downloads share the same lanes.

import { messageNotFound } from '../../domain/gone.ts';
import type { Session } from '../../domain/session.ts';
import type { MailStore, StoredMessage } from '../../store/mail-store.ts';
import type { FairLane } from '#networks/fair-lane';
import type { ServiceTurns } from '../session/service-turns.ts';
import { readWholeRaw } from '../session/sealed-raw.ts';
import { requesterOf } from '../session/turn-owner.ts';
import type { OpenSession } from '../session/session-access.ts';

const smallMaxBytes = 256 * 1024;
const mediumMaxBytes = 2 * 1024 * 1024;

export interface WholeRawDeps {
  readonly mail: MailStore;
  readonly turns: Pick<ServiceTurns, 'wholeMail'>;
}

interface StoredIn {
  readonly session: OpenSession;
  readonly stored: Pick<StoredMessage, 'id' | 'sizeBytes'>;
}

/** Runs in a turn of the session. @throws MayflyError message_not_found when the message has been deleted meanwhile */
export function withWholeRaw<T>(
  { mail, turns }: WholeRawDeps,
  { session, stored }: StoredIn,
  use: (raw: Uint8Array) => Promise<T>,
): Promise<T> {
  return laneFor(turns, stored.sizeBytes).run(requesterOf(session), async () =>
    use(await readWholeRaw(mail, session, stored)),
  );
}

function laneFor({ wholeMail }: WholeRawDeps['turns'], sizeBytes: number): FairLane {
  if (sizeBytes <= smallMaxBytes) return wholeMail.small;
  return sizeBytes <= mediumMaxBytes ? wholeMail.medium : wholeMail.large;
}

export async function getStored(mail: MailStore, session: Session, id: number): Promise<StoredMessage> {
  const stored = await mail.findMessage(session.key, id);
  if (stored) return stored;
  throw messageNotFound();
}
