// Reads a whole message into memory for as long as something is done with it. Whole messages take turns: readers,
// searches, lists and downloads share the same lanes.

import { messageNotFound } from '../../domain/gone.ts';
import type { Session } from '../../domain/session.ts';
import type { MailStore, StoredMessage } from '../../store/mail-store.ts';
import { FairLane } from '../../limits/fair-lane.ts';
import { readWholeRaw } from '../session/sealed-raw.ts';
import { requesterOf } from '../session/turn-owner.ts';
import type { OpenSession } from '../session/session-access.ts';

/** Limits whole messages in memory for parsing; others wait their turn, below the parser's own limit. */
const smallMaxBytes = 256 * 1024;
const mediumMaxBytes = 2 * 1024 * 1024;
const smallOnes = new FairLane({ atOnce: 64, perSession: 4, perNetwork: 32, perSite: 48, maxWaiting: 2000 });
const mediumOnes = new FairLane({ atOnce: 4, perSession: 1, perNetwork: 2, perSite: 3, maxWaiting: 500 });
const largeOnes = new FairLane({ atOnce: 1, perSession: 1, perNetwork: 1, perSite: 1, maxWaiting: 500 });

interface StoredIn {
  readonly mail: MailStore;
  readonly session: OpenSession;
  readonly stored: Pick<StoredMessage, 'id' | 'sizeBytes'>;
}

/** Runs in a turn of the session. @throws MayflyError message_not_found when the message has been deleted meanwhile */
export function withWholeRaw<T>(
  { mail, session, stored }: StoredIn,
  use: (raw: Uint8Array) => Promise<T>,
): Promise<T> {
  return laneFor(stored.sizeBytes).run(requesterOf(session), async () =>
    use(await readWholeRaw(mail, session, stored)),
  );
}

function laneFor(sizeBytes: number): FairLane {
  if (sizeBytes <= smallMaxBytes) return smallOnes;
  return sizeBytes <= mediumMaxBytes ? mediumOnes : largeOnes;
}

export async function getStored(mail: MailStore, session: Session, id: number): Promise<StoredMessage> {
  const stored = await mail.findMessage(session.key, id);
  if (stored) return stored;
  throw messageNotFound();
}
