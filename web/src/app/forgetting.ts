// Removes every trace of the reader from this browser. For some seconds it can be undone: what was stored goes at once
// and is held in memory, and what could not be brought back, the end of the addresses, waits. A closing page ends them.
import { endSession } from '../api/operations.ts';
import { isSessionOver } from '../api/api-error.ts';
import { t } from '../i18n/translate.ts';
import { forgetMails, type KeptMail, listAllMails, putMail } from '../state/mail/kept-mails.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { current, forgetMailboxes, mailboxes, selectMailbox } from '../state/mailboxes.ts';
import { loadSettings } from '../state/settings.ts';
import { forgetStored, writeStored } from '../state/storage.ts';
import { creationError, isForgotten, leaveMessage, undoForgetting } from './addresses.ts';
import { deleteNow } from './deleting.ts';
import { untilKept } from './later/keeping.ts';
import { notify, silence } from './notices.ts';
import { inBackground } from './report-fault.ts';

const undoMs = 10_000;

interface Held {
  readonly mailboxes: readonly Mailbox[];
  readonly token: string | null;
  readonly stored: Readonly<Record<string, string>>;
  readonly mails: readonly KeptMail[];
}

/** With `isEnding` the sessions end too. */
export async function forgetEverything(isEnding: boolean): Promise<void> {
  await deleteNow();
  await untilKept();
  const mails = await listAllMails();
  const held: Held = {
    mailboxes: mailboxes.value,
    token: current.value?.token ?? null,
    stored: forgetStored(),
    mails,
  };
  // Before anything shows that all is forgotten: the page may be closed at once.
  const stop = (): void => {
    clearTimeout(timer);
    window.removeEventListener('pagehide', close);
    if (undoForgetting.value === undo) undoForgetting.value = null;
  };
  const finish = (isLast: boolean): void => {
    stop();
    inBackground(finishForgetting(isEnding ? held : null, isLast));
  };
  const close = (): void => {
    finish(true);
  };
  const timer = setTimeout(finish, undoMs, false);
  window.addEventListener('pagehide', close);
  const undo = (): void => {
    stop();
    restore(held);
  };
  leaveMessage();
  silence();
  forgetMailboxes();
  loadSettings();
  isForgotten.value = true;
  creationError.value = null;
  await untilKept();
  await forgetMails();
  undoForgetting.value = undo;
}

/**
 * If an address cannot be ended, everything comes back, since its token would be lost. Not in a page that is closing
 * (`isLast`): it may see requests fail that go on without it, and nothing may be left behind then.
 */
async function finishForgetting(ending: Held | null, isLast: boolean): Promise<void> {
  const own = ending?.mailboxes.filter(({ isReadOnly }) => !isReadOnly) ?? [];
  const ends = await Promise.allSettled(own.map(({ token }) => endSession(token, isLast)));
  const isLeft = ends.some((end) => end.status === 'rejected' && !isSessionOver(end.reason));
  if (ending && isLeft && !isLast) {
    restore(ending);
    notify({ kind: 'error', text: t('settings.forgetFailed') });
    return;
  }
  await forgetKeptPage();
}

function restore({ stored, token, mails, mailboxes: before }: Held): void {
  for (const [key, text] of Object.entries(stored)) writeStored(key, text);
  loadSettings();
  mailboxes.value = [...before, ...mailboxes.value];
  if (token !== null) selectMailbox(token);
  isForgotten.value = false;
  for (const mail of mails) inBackground(putMail(mail));
}

async function forgetKeptPage(): Promise<void> {
  // Absent on insecure origins, where nothing is kept.
  if (!('caches' in window)) return;
  const ours = (await caches.keys()).filter((name) => name.startsWith('mayfly '));
  await Promise.all(ours.map((name) => caches.delete(name)));
  const worker = await navigator.serviceWorker.getRegistration();
  await worker?.unregister();
}
