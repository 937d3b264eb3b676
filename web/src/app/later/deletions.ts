// Deletes messages after five seconds in which it can be undone, or longer while the reader is at the notice. Until then
// they are only hidden, also for a page that is closed meanwhile and opened again. Loaded by deleting.ts.
import { effect } from '@preact/signals';

import { deleteMails } from '../../api/operations.ts';
import { t, tn } from '../../i18n/translate.ts';
import { dropDeletion, keepDeletion, readDeletions } from '../../state/mail/kept-deletions.ts';
import { applyDeletions, canChange, type Mailbox, setLeaving } from '../../state/mailbox.ts';
import { mailboxes } from '../../state/mailboxes.ts';
import { createUndoQueue } from '../../state/undo-queue.ts';
import { closeMessage, openMessage, openMessageId, selectedId } from '../navigation.ts';
import { dismiss, isHeld, notify, say } from '../notices.ts';
import { inBackground, reportError } from '../report-fault.ts';

interface Deletion {
  readonly mailbox: Mailbox;
  /** Newest first. */
  readonly ids: readonly number[];
  /** By which it is kept for a later page; null where the browser keeps nothing. */
  readonly key: string | null;
  readonly noticeId: number;
}

const delayMs = 5000;

const queue = createUndoQueue<Deletion>({
  delayMs,
  commit: (deletion) => {
    inBackground(commit(deletion));
  },
});

effect(() => {
  if (isHeld.value) queue.hold();
  else queue.release();
});

/** Offers once more to undo what a page was closed over. */
export function resumeDeletions(): void {
  for (const { key, email, ids } of readDeletions()) {
    const mailbox = mailboxes.value.find((one) => one.email === email && !one.isReadOnly);
    if (mailbox) hide(mailbox, ids, key);
    else dropDeletion(key);
  }
}

/** Deletes what could still be undone. */
export function deleteNow(): void {
  queue.flush();
}

/** Deletes those of the messages that are in view; one undo brings all of them back. */
export function deleteMessages(mailbox: Mailbox, wanted: readonly number[]): void {
  if (!canChange(mailbox)) return;
  const going = new Set(wanted);
  const ids = mailbox.shown.value.map(({ id }) => id).filter((id) => going.has(id));
  const [first] = ids;
  if (first === undefined) return;
  const next = findNext(mailbox, going);
  selectedId.value = next;
  const key = crypto.getRandomValues(new Uint32Array(2)).join('-');
  hide(mailbox, ids, keepDeletion({ key, email: mailbox.email, ids }) ? key : null);
  if (openMessageId.value !== null && going.has(openMessageId.value)) {
    if (next === null) closeMessage();
    else openMessage(next);
  }
}

function hide(mailbox: Mailbox, ids: readonly number[], key: string | null): void {
  setLeaving(mailbox, ids, true);
  const noticeId = notify({
    kind: 'info',
    text: ids.length === 1 ? t('message.deleted') : tn('choose.deleted', ids.length),
    lastsMs: delayMs,
    action: {
      label: t('message.undo'),
      run: () => {
        undoDelete(deletion);
      },
    },
  });
  const deletion: Deletion = { mailbox, ids, key, noticeId };
  queue.add(deletion);
  if (isHeld.value) queue.hold();
}

/** Returns the message below the open one or below the deleted ones, else the one above. */
function findNext({ found }: Mailbox, going: ReadonlySet<number>): number | null {
  const ids = found.value.map(({ id }) => id);
  const { value: open } = openMessageId;
  const from =
    open !== null && going.has(open) ? ids.indexOf(open) : ids.findLastIndex((id) => going.has(id));
  const stays = (id: number): boolean => !going.has(id);
  return ids.slice(Math.max(from, 0)).find(stays) ?? ids.slice(0, Math.max(from, 0)).findLast(stays) ?? null;
}

/** Brings back the given deletion, by default the last one. */
export function undoDelete(deletion?: Deletion): void {
  const undone = queue.undo(deletion);
  if (!undone) return;
  const { mailbox, ids, key, noticeId } = undone;
  if (key !== null) dropDeletion(key);
  setLeaving(mailbox, ids, false);
  selectedId.value = ids[0] ?? null;
  dismiss(noticeId);
  say(ids.length === 1 ? t('message.restored') : tn('choose.restored', ids.length));
}

async function commit({ mailbox, ids, key }: Deletion): Promise<void> {
  if (key !== null && !dropDeletion(key)) {
    // Undone in another window, which showed it too.
    setLeaving(mailbox, ids, false);
    return;
  }
  try {
    await deleteMails(mailbox.token, ids);
    applyDeletions(mailbox, ids);
  } catch (error) {
    setLeaving(mailbox, ids, false);
    reportError(error);
  }
}
