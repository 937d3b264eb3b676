// Keeps opened messages readable without the service for as long as their session lives. They are kept when read and
// removed with the message, with the session however it ended, and with everything else. A browser that refuses to
// keep them is not an error. Loaded and started once by kept-pages.ts.
import { effect, untracked } from '@preact/signals';

import type { FullMessage } from '../../api/answers.ts';
import { findMail, hashSession, listMails, putMail, sweepMails } from '../../state/mail/kept-mails.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { current, mailboxes } from '../../state/mailboxes.ts';
import { logFault } from '../report-fault.ts';

const hashes = new Map<string, Promise<string | null>>();
/** Runs one step after the other, so that nothing is added behind a sweep. */
let last: Promise<unknown> = Promise.resolve();
let isSweepDue = false;

export function startKeeping(): void {
  effect(() => {
    // Reads every signal that changes which messages exist.
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

/** Returns null for a message never opened here. */
export async function findKept(mailbox: Mailbox, id: number): Promise<FullMessage | null> {
  try {
    const session = await hashOf(mailbox);
    return session === null ? null : await findMail(session, id);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

/** Stands in for a list that cannot be loaded. */
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

/** Before the first list, no message counts as gone. */
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
    // Storage is full, or forbidden in a private window.
    if (!(error instanceof DOMException)) logFault(error);
  });
}

/** Resolves when everything begun is done. */
export async function untilKept(): Promise<void> {
  await last;
}
