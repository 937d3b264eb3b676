// For testers alone, loaded with the inbox of a developer's service: the inboxes of workers that log in at SMTP appear
// as they do, and when the service starts anew, its new inbox takes the place of the old one.
import { requireApiError } from '../api/api-error.ts';
import { showSession } from '../api/operations.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { parseToken } from '../state/addresses/stored-sessions.ts';
import { keepMailbox, mailboxes } from '../state/mailboxes.ts';
import { logFault } from './report-fault.ts';
import { offerShared } from './share-link.ts';

const everyMs = 2_000;

let isStarted = false;

/** Has no effect once started. */
export function startTesting(): void {
  if (isStarted) return;
  isStarted = true;
  setInterval(() => {
    // The first is the inbox that takes all other mail; those of workers follow it.
    const shared = mailboxes.value.find(({ smtp }) => smtp !== undefined);
    if (!shared || document.hidden) return;
    (shared.isOver.value ? followNewRun() : findWorkers(shared)).catch(logFault);
  }, everyMs);
}

/** Asks the service's front page, which leads to the inbox of the run. */
async function followNewRun(): Promise<void> {
  const response = await fetch('/', { headers: { accept: 'text/html' } });
  const token = parseToken(/#share=([\w-]+)/.exec(await response.text())?.[1]);
  if (token !== undefined) await offerShared(token);
}

async function findWorkers({ token, smtp }: Mailbox): Promise<void> {
  try {
    const { workers = [] } = await showSession(token);
    for (const worker of workers) {
      if (mailboxes.value.some((one) => one.token === worker.token)) continue;
      const { email, expires_in: inSeconds } = await showSession(worker.token);
      keepMailbox({
        token: worker.token,
        email,
        endsAt: Date.now() + inSeconds * 1000,
        isShared: false,
        label: worker.name,
        ...(smtp === undefined ? {} : { smtp }),
      });
    }
  } catch (error) {
    // The streams show the state of the connection.
    requireApiError(error);
  }
}
