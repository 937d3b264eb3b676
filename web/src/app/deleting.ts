// Deletes messages after five seconds in which it can be undone. Until then they are only hidden; a closing page
// deletes them at once.
import { deleteMails } from '../api/operations.ts';
import { t, tn } from '../i18n/translate.ts';
import { applyDeletions, type Mailbox, setLeaving } from '../state/mailbox.ts';
import { createUndoQueue } from '../state/undo-queue.ts';
import { closeMessage, openMessage, openMessageId, selectedId } from './navigation.ts';
import { dismiss, notify, say } from './notices.ts';
import { inBackground, reportError } from './report-fault.ts';

interface Deletion {
  readonly mailbox: Mailbox;
  /** Newest first. */
  readonly ids: readonly number[];
  readonly noticeId: number;
}

const delayMs = 5000;

const queue = createUndoQueue<Deletion>({
  delayMs,
  commit: (deletion, isLast) => {
    inBackground(commit(deletion, isLast));
  },
});

export function startDeleting(): void {
  window.addEventListener('pagehide', () => {
    queue.flush();
  });
}

export function deleteMessage(mailbox: Mailbox, id: number): void {
  deleteMessages(mailbox, [id]);
}

/** Deletes those of the messages that are in view; one undo brings all of them back. */
export function deleteMessages(mailbox: Mailbox, wanted: readonly number[]): void {
  if (mailbox.isReadOnly) return;
  const going = new Set(wanted);
  const ids = mailbox.shown.value.map(({ id }) => id).filter((id) => going.has(id));
  const [first] = ids;
  if (first === undefined) return;
  const next = findNext(mailbox, going);
  selectedId.value = next;
  setLeaving(mailbox, ids, true);
  if (openMessageId.value !== null && going.has(openMessageId.value)) {
    if (next === null) closeMessage();
    else openMessage(next);
  }
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
  const deletion: Deletion = { mailbox, ids, noticeId };
  queue.add(deletion);
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
  const { mailbox, ids, noticeId } = undone;
  setLeaving(mailbox, ids, false);
  selectedId.value = ids[0] ?? null;
  dismiss(noticeId);
  say(ids.length === 1 ? t('message.restored') : tn('choose.restored', ids.length));
}

async function commit({ mailbox, ids }: Deletion, isLast: boolean): Promise<void> {
  try {
    await deleteMails(mailbox.token, ids, isLast);
    applyDeletions(mailbox, ids);
  } catch (error) {
    setLeaving(mailbox, ids, false);
    reportError(error);
  }
}
