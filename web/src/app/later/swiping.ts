// Swipes on the rows of the list, for fingers: towards the start of the line deletes, towards its end marks as read or
// unread. Every swipe has a button that does the same. Loaded where there is a touch screen.
import '../../styles/inbox/swipe.css';
import { t } from '../../i18n/translate.ts';
import { canChange, type Mailbox } from '../../state/mailbox.ts';
import { isAnyUnread, markMessages } from '../choosing.ts';
import { deleteMessage } from '../deleting.ts';
import { chosen } from '../navigation.ts';
import { startSliding } from './sliding.ts';

interface Swipe {
  readonly row: HTMLElement;
  readonly pointerId: number;
  readonly x: number;
  readonly y: number;
  /** Pixels towards the end of the line. */
  by: number;
  hasBegun: boolean;
}

/** Below it a finger only rests. */
const beginsPx = 12;
/** The share of the row after which letting go acts. */
const actsAt = 0.35;

/** Starts all that the list does on a touch screen alone; returns the function that ends it. */
export function startTouch(list: HTMLElement, mailbox: Mailbox): () => void {
  const stops = [startSwiping(list, mailbox), startSliding(list)];
  return () => {
    for (const stop of stops) stop();
  };
}

function startSwiping(list: HTMLElement, mailbox: Mailbox): () => void {
  let swipe: Swipe | null = null;
  const leave = new AbortController();
  const on = (
    kind: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel',
    act: (event: PointerEvent) => void,
  ) => {
    list.addEventListener(kind, act, { signal: leave.signal, passive: true });
  };
  on('pointerdown', ({ target, pointerType, isPrimary, pointerId, clientX, clientY }) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('.row') : null;
    const isPossible =
      row && isPrimary && pointerType === 'touch' && chosen.value === null && canChange(mailbox);
    swipe = isPossible ? { row, pointerId, x: clientX, y: clientY, by: 0, hasBegun: false } : null;
  });
  on('pointermove', (event) => {
    if (swipe?.pointerId === event.pointerId) move(swipe, event, mailbox);
  });
  on('pointerup', () => {
    if (swipe?.hasBegun) finish(swipe, mailbox);
    swipe = null;
  });
  on('pointercancel', () => {
    if (swipe) reset(swipe.row);
    swipe = null;
  });
  return () => {
    leave.abort();
  };
}

function move(swipe: Swipe, { clientX, clientY }: PointerEvent, mailbox: Mailbox): void {
  const { row, x, y } = swipe;
  swipe.by = document.documentElement.dir === 'rtl' ? x - clientX : clientX - x;
  if (!swipe.hasBegun) {
    if (Math.abs(swipe.by) < beginsPx || Math.abs(swipe.by) < 1.5 * Math.abs(clientY - y)) return;
    swipe.hasBegun = true;
    row.setPointerCapture(swipe.pointerId);
    row.classList.add('is-swiped');
  }
  row.style.setProperty('--swiped', `${swipe.by}px`);
  row.classList.toggle('is-deleting', swipe.by < 0);
  row.classList.toggle('will-act', willAct(swipe));
  row.dataset['swipe'] = swipe.by < 0 ? t('message.delete') : nameMark(mailbox, row);
}

function finish(swipe: Swipe, mailbox: Mailbox): void {
  const { row, by } = swipe;
  const id = idOf(row);
  // The finger's click would open the message.
  const stop = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  row.addEventListener('click', stop, { capture: true });
  setTimeout(() => {
    row.removeEventListener('click', stop, { capture: true });
  });
  reset(row);
  if (!willAct(swipe)) return;
  if (by < 0) deleteMessage(mailbox, id);
  else markMessages(mailbox, [id], isAnyUnread(mailbox, [id]));
}

function reset(row: HTMLElement): void {
  row.classList.remove('is-swiped', 'is-deleting', 'will-act');
  row.style.removeProperty('--swiped');
  delete row.dataset['swipe'];
}

function willAct({ row, by }: Swipe): boolean {
  return Math.abs(by) > row.clientWidth * actsAt;
}

function nameMark(mailbox: Mailbox, row: HTMLElement): string {
  return t(isAnyUnread(mailbox, [idOf(row)]) ? 'choose.markRead' : 'choose.markUnread');
}

function idOf(row: HTMLElement): number {
  return Number(row.dataset['id']);
}
