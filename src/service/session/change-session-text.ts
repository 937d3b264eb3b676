// Changes a small text of a session, such as its shares. Changes in this process take turns, so that none is refused
// because others came at the same time; another node seldom interferes, and then the change is made anew.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Session } from '../../domain/session.ts';
import type { SessionTextStore } from '../../store/session-text-store.ts';
import type { ServiceTurns } from './service-turns.ts';
import { turnOwner } from './turn-owner.ts';

/** Against other nodes, each of which makes one change at a time. */
const triesMax = 20;

export interface TextTurns {
  readonly turns: Pick<ServiceTurns, 'sessionTexts'>;
}

interface Text {
  readonly texts: SessionTextStore;
  readonly session: Session;
}

/**
 * `change` returns the new text, or undefined to leave it. Resolves with `over` when the session is not live.
 * @throws whatever `change` does, and MayflyError unavailable
 */
export function changeSessionText(
  { turns }: TextTurns,
  { texts, session }: Text,
  change: (before: string | null) => string | null | undefined,
): Promise<'changed' | 'left' | 'over'> {
  return turns.sessionTexts.run(turnOwner(session), async () => {
    let before = await texts.read(session.key);
    for (let tries = 1; tries <= triesMax; tries++) {
      const after = change(before);
      if (after === undefined) return 'left';
      if (await texts.replace(session.key, { before, after })) return 'changed';
      const now = await texts.read(session.key);
      if (before === null && now === null) return 'over';
      before = now;
    }
    throw new MayflyError('unavailable', 'The session is being changed elsewhere; try again.');
  });
}
