// Deleting messages, which is loaded at the first sign of a person, or when a page was closed over a deletion.
import { areDeletionsKept } from '../state/mail/deletions-kept.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { atFirstSign } from './first-sign.ts';
import type * as Deletions from './later/deletions.ts';
import { inBackground } from './report-fault.ts';

export function startDeleting(): void {
  if (areDeletionsKept()) {
    withDeletions(({ resumeDeletions }) => {
      resumeDeletions();
    });
  }
  atFirstSign(prepare);
}

function prepare(): void {
  withDeletions(() => undefined);
}

export function deleteMessage(mailbox: Mailbox, id: number): void {
  deleteMessages(mailbox, [id]);
}

/** Deletes those of the messages that are in view; one undo brings all of them back. */
export function deleteMessages(mailbox: Mailbox, ids: readonly number[]): void {
  withDeletions((deletions) => {
    deletions.deleteMessages(mailbox, ids);
  });
}

/** Brings back the last deletion. */
export function undoDelete(): void {
  withDeletions((deletions) => {
    deletions.undoDelete();
  });
}

/** Deletes what could still be undone. */
export async function deleteNow(): Promise<void> {
  (await import('./later/deletions.ts')).deleteNow();
}

function withDeletions(act: (deletions: typeof Deletions) => void): void {
  inBackground(import('./later/deletions.ts').then(act));
}
