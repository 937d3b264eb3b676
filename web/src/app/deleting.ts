// Deleting with five seconds to think again. Until then the message is only out of sight; when the page goes away what
// was asked for is done at once.
import { requireApiError } from '../api/api-error.ts';
import { deleteMail } from '../api/operations.ts';
import { t } from '../i18n/translate.ts';
import { applyDeletion, type Mailbox, setLeaving } from '../state/mailbox.ts';
import { createUndoQueue } from '../state/undo-queue.ts';
import { closeMessage, openMessage, openMessageId, selectedId } from './navigation.ts';
import { dismiss, notify, say } from './notices.ts';
import { inBackground, reportError } from './report-fault.ts';

interface Deletion {
  readonly mailbox: Mailbox;
  readonly id: number;
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
  if (mailbox.isReadOnly || mailbox.leaving.value.has(id)) return;
  const { value: shown } = mailbox.found;
  if (!mailbox.shown.value.some((message) => message.id === id)) return;
  const at = shown.findIndex((message) => message.id === id);
  const next = (shown[at + 1] ?? shown[at - 1])?.id ?? null;
  selectedId.value = next;
  setLeaving(mailbox, id, true);
  if (openMessageId.value === id) {
    if (next === null) closeMessage();
    else openMessage(next);
  }
  const noticeId = notify({
    kind: 'info',
    text: t('message.deleted'),
    lastsMs: delayMs,
    action: {
      label: t('message.undo'),
      run: () => {
        undoDelete(deletion);
      },
    },
  });
  const deletion: Deletion = { mailbox, id, noticeId };
  queue.add(deletion);
}

/** Brings the one named back, else the one deleted last. */
export function undoDelete(deletion?: Deletion): void {
  const undone = queue.undo(deletion);
  if (!undone) return;
  setLeaving(undone.mailbox, undone.id, false);
  selectedId.value = undone.id;
  dismiss(undone.noticeId);
  say(t('message.restored'));
}

async function commit({ mailbox, id }: Deletion, isLast: boolean): Promise<void> {
  try {
    await deleteMail(mailbox.token, id, isLast);
    applyDeletion(mailbox, id);
  } catch (error) {
    if (requireApiError(error).code === 'message_not_found') {
      applyDeletion(mailbox, id);
      return;
    }
    setLeaving(mailbox, id, false);
    reportError(error);
  }
}
