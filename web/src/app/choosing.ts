// Selecting several messages in the current list, and acting on them. The selection itself is `chosen` in
// navigation.ts, because Back ends it.
import { batch, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';

import { markMails } from '../api/operations.ts';
import { tn } from '../i18n/translate.ts';
import { applyMarks, canChange, type Mailbox } from '../state/mailbox.ts';
import { current } from '../state/mailboxes.ts';
import { afterPaint } from './after-paint.ts';
import { deleteMessages } from './deleting.ts';
import { chosen, closeMessage, openMessageId, selectedId } from './navigation.ts';
import { say } from './notices.ts';
import { inBackground, reportError } from './report-fault.ts';

/** Start of a range: the message last chosen without Shift. */
let anchorId: number | null = null;

/** Rows that change at once; hundreds would delay the answer to a key, and to the next one. */
export const rowsAtOnce = 30;

type Chosen = typeof chosen.value;
const shownChosen: Signal<Chosen>[] = [];

/**
 * Returns the selection as a group of `rowsAtOnce` rows shows it: the first group and the one with the focus at once,
 * the others after a paint each.
 */
export function chosenIn(group: number): ReadonlySignal<Chosen> {
  return (shownChosen[group] ??= signal(chosen.peek()));
}

function showChosen(): () => void {
  const { value } = chosen;
  const at =
    current
      .peek()
      ?.found.peek()
      .findIndex(({ id }) => id === selectedId.peek()) ?? 0;
  batch(() => {
    for (const group of [0, Math.floor(at / rowsAtOnce)]) {
      const shown = shownChosen[group];
      if (shown) shown.value = value;
    }
  });
  const rest = shownChosen.filter((shown) => shown.peek() !== value);
  let stop = (): void => undefined;
  const showNext = (): void => {
    const next = rest.shift();
    if (!next) return;
    stop = afterPaint(() => {
      next.value = value;
      showNext();
    });
  };
  showNext();
  return () => {
    stop();
  };
}

/** Ends the selection when another list is shown. */
export function startChoosing(): void {
  let mailbox = current.value;
  effect(() => {
    if (mailbox === current.value) return;
    mailbox = current.value;
    chosen.value = null;
  });
  effect(showChosen);
}

export function stopChoosing(): void {
  chosen.value = null;
  anchorId = null;
}

/** Starts an empty selection. */
export function startChoice(): void {
  chosen.value ??= new Set();
}

/** Returns the chosen messages that the current filter shows, newest first. */
export function listChosen(mailbox: Mailbox): readonly number[] {
  const { value: ids } = chosen;
  return ids ? mailbox.found.value.map(({ id }) => id).filter((id) => ids.has(id)) : [];
}

export function toggleChosen(id: number): void {
  const next = new Set(chosen.value);
  if (!next.delete(id)) next.add(id);
  chosen.value = next;
  anchorId = id;
}

/** Adds everything from the anchor to this message to the selection. */
export function chooseTo(mailbox: Mailbox, id: number): void {
  const ids = mailbox.found.value.map((message) => message.id);
  const from = ids.indexOf(anchorId ?? selectedId.value ?? id);
  const to = ids.indexOf(id);
  if (to < 0) return;
  anchorId = ids[from] ?? id;
  const range = from < 0 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
  chosen.value = new Set([...(chosen.value ?? []), ...range]);
}

/** Moves the keyboard's position by one and selects everything up to it. */
export function extendChoice(mailbox: Mailbox, by: 1 | -1): void {
  const { value: found } = mailbox.found;
  const at = found.findIndex(({ id }) => id === selectedId.value);
  const next = found[at + by];
  if (at < 0 || !next) return;
  chooseTo(mailbox, next.id);
  selectedId.value = next.id;
}

export function chooseAll(mailbox: Mailbox): void {
  chosen.value = new Set(mailbox.found.value.map(({ id }) => id));
}

export function chooseNone(): void {
  chosen.value = new Set();
}

export function deleteChosen(mailbox: Mailbox): void {
  const ids = listChosen(mailbox);
  stopChoosing();
  deleteMessages(mailbox, ids);
}

/** Reports whether any of the messages is unread, so that marking them marks them as read. */
export function isAnyUnread(mailbox: Mailbox, ids: readonly number[]): boolean {
  const wanted = new Set(ids);
  return mailbox.messages.value.some(({ id, is_read: isRead }) => wanted.has(id) && !isRead);
}

export function markChosen(mailbox: Mailbox): void {
  const ids = listChosen(mailbox);
  stopChoosing();
  markMessages(mailbox, ids, isAnyUnread(mailbox, ids));
}

/** Takes effect at once and is reverted if the service does not store it. */
export function markMessages(mailbox: Mailbox, ids: readonly number[], isRead: boolean): void {
  const changed = mailbox.messages.value.filter(
    (message) => ids.includes(message.id) && message.is_read !== isRead,
  );
  if (!canChange(mailbox) || changed.length === 0) return;
  const changedIds = changed.map(({ id }) => id);
  if (!isRead && openMessageId.value !== null && ids.includes(openMessageId.value)) closeMessage();
  applyMarks(mailbox, changedIds, isRead);
  const text = tn(isRead ? 'choose.markedRead' : 'choose.markedUnread', changedIds.length);
  say(text);
  inBackground(
    markMails(mailbox.token, changedIds, isRead).catch((error: unknown) => {
      applyMarks(mailbox, changedIds, !isRead);
      reportError(error);
    }),
  );
}
