// Messages that were opened stay readable without the service, for as long as their session lives: kept when they are
// read, and taken out with the message, with the session however that ended, and with everything. What a browser refuses
// to keep is not kept, and nobody is troubled with it. Started once by app/start.ts.
import { effect, untracked } from '@preact/signals';

import type { FullMessage } from '../api/answers.ts';
import { findMail, hashSession, listMails, putMail, sweepMails } from '../state/kept-mails.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { current, mailboxes } from '../state/mailboxes.ts';
import { logFault } from './report-fault.ts';

const hashes = new Map<string, Promise<string | null>>();
/** One after the other, so that nothing is put in behind a sweep. */
let last: Promise<unknown> = Promise.resolve();
let isSweepDue = false;

export function startKeeping(): void {
  effect(() => {
    // Whatever changes which messages there are.
    for (const { isOver, isListed, messages } of mailboxes.value) {
      void [isOver.value, isListed.value, messages.value];
    }
    untracked(sweepSoon);
  });
  effect(() => {
    const { value: mailbox } = current;
    if (!mailbox || mailbox.isListed.value || mailbox.connection.value !== 'waiting') return;
    untracked(() => {
      inTurn(() => showKept(mailbox));
    });
  });
}

export function keepMail(mailbox: Mailbox, message: FullMessage): void {
  inTurn(async () => {
    const session = await hashOf(mailbox);
    if (session !== null && isThere(mailbox, message.id)) await putMail({ session, id: message.id, message });
  });
}

/** Null where it was never opened here. */
export async function findKept(mailbox: Mailbox, id: number): Promise<FullMessage | null> {
  try {
    const session = await hashOf(mailbox);
    return session === null ? null : await findMail(session, id);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

/** In place of a list that cannot be had. */
async function showKept(mailbox: Mailbox): Promise<void> {
  const session = await hashOf(mailbox);
  const kept = session === null ? [] : await listMails(session);
  if (!mailbox.isListed.value && mailbox.messages.value.length === 0) mailbox.messages.value = kept;
}

function sweepSoon(): void {
  if (isSweepDue) return;
  isSweepDue = true;
  inTurn(async () => {
    isSweepDue = false;
    const live = new Map<string | null, Mailbox>();
    for (const mailbox of mailboxes.value) {
      if (!mailbox.isOver.value) live.set(await hashOf(mailbox), mailbox);
    }
    await sweepMails((session, id) => {
      const mailbox = live.get(session);
      return mailbox !== undefined && isThere(mailbox, id);
    });
  });
}

/** Before the first list nothing is known to be gone. */
function isThere(mailbox: Mailbox, id: number): boolean {
  if (mailbox.isOver.value || !mailboxes.value.includes(mailbox)) return false;
  return !mailbox.isListed.value || mailbox.messages.value.some((message) => message.id === id);
}

function hashOf({ token }: Mailbox): Promise<string | null> {
  const known = hashes.get(token) ?? hashSession(token);
  hashes.set(token, known);
  return known;
}

function inTurn(work: () => Promise<void>): void {
  last = last.then(work).catch((error: unknown) => {
    // Full, or forbidden in a private window.
    if (!(error instanceof DOMException)) logFault(error);
  });
}

/** Resolves when all that was begun is done. */
export async function untilKept(): Promise<void> {
  await last;
}
