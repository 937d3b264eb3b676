// Searches the text of messages, which only the service has. Runs shortly after the last letter, in addition to the
// immediate search of the list. Started once by app/start.ts.
import { effect, signal, untracked } from '@preact/signals';

import { requireApiError } from '../api/api-error.ts';
import { checkMail } from '../api/operations.ts';
import { createNap } from '../live/nap.ts';
import { finder, type Mailbox } from '../state/mailbox.ts';
import { current } from '../state/mailboxes.ts';
import type { Marker } from '../views/inbox/mark-hits.tsx';
import { logFault } from './report-fault.ts';

/** Time after the last letter, or the last new message. */
const restMs = 300;
/** A search over many long messages resumes when it is requested again. */
const mostTries = 5;
const longestWaitMs = 5_000;

/** Marks the hits in the list; null for none. */
export const marker = signal<Marker | null>(null);

/** Loads the search of the list; called as soon as a person turns to it. */
export function prepareSearch(): void {
  if (finder.peek()) return;
  import('../state/find-messages.ts').then((loaded) => {
    finder.value = loaded;
  }, logFault);
}

async function markSoon(words: string, signal: AbortSignal): Promise<void> {
  const { createMarker } = await import('../views/inbox/mark-hits.tsx');
  if (!signal.aborted) marker.value = createMarker(words);
}

export function startSearching(): void {
  effect(() => {
    const { value: mailbox } = current;
    const words = mailbox?.query.value.trim() ?? '';
    // Read here, so that new mail is searched too, and all of it again when the service is back.
    void [mailbox?.messages.value[0]?.id, mailbox?.connection.value === 'waiting'];
    return untracked(() => {
      if (!mailbox || words === '') {
        marker.value = null;
        if (mailbox) mailbox.textSearch.value = null;
        return undefined;
      }
      prepareSearch();
      const leaving = new AbortController();
      search(mailbox, words, leaving.signal).catch(logFault);
      return () => {
        leaving.abort();
      };
    });
  });
}

async function search(mailbox: Mailbox, words: string, signal: AbortSignal): Promise<void> {
  const nap = createNap();
  const earlier = mailbox.textSearch.value;
  const ids = earlier?.words === words ? earlier.ids : new Set<number>();
  mailbox.textSearch.value = { words, ids, state: 'searching' };
  await nap.sleep(restMs, signal);
  markSoon(words, signal).catch(logFault);
  for (let tries = 1; !signal.aborted; tries++) {
    try {
      const { list } = await checkMail(mailbox.token, { words, signal });
      const found = new Set(list?.messages.map(({ id }) => id));
      mailbox.textSearch.value = { words, ids: found, state: 'done' };
      return;
    } catch (error) {
      if (signal.aborted) return;
      const { code, retryAfterSeconds } = requireApiError(error);
      if (code !== 'unavailable' || tries >= mostTries) {
        mailbox.textSearch.value = { words, ids, state: 'failed' };
        return;
      }
      await nap.sleep(Math.min((retryAfterSeconds ?? 1) * 1000, longestWaitMs), signal);
    }
  }
}
