// Single-key shortcuts, active while no field and no dialog has the focus; those that change something only while the
// list or the reader has it. The settings can turn them off (WCAG 2.1.4); Escape always works. Started once by
// app/start.ts.
import { t } from '../i18n/translate.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { current, mailboxes } from '../state/mailboxes.ts';
import { settings } from '../state/settings.ts';
import { createNow, switchAddress } from './addresses.ts';
import {
  chooseAll,
  deleteChosen,
  extendChoice,
  isAnyUnread,
  listChosen,
  markChosen,
  markMessages,
  startChoice,
  stopChoosing,
  toggleChosen,
} from './choosing.ts';
import { copyAndNotify } from './copying.ts';
import { deleteMessage, undoDelete } from './deleting.ts';
import {
  chosen,
  closeMessage,
  dialog,
  isEnlarged,
  openDialog,
  openMessage,
  openMessageId,
  selectedId,
} from './navigation.ts';
import { inBackground } from './report-fault.ts';
import { reading } from './reading.ts';

export function startKeyboard(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    if (dialog.value !== null || isTyping(event.target)) return;
    const action = findAction(event);
    // Controls handle Enter themselves.
    if (!action || (event.key === 'Enter' && isWithin(event, 'button, a, summary'))) return;
    event.preventDefault();
    action();
  });
}

function findAction(event: KeyboardEvent): (() => void) | undefined {
  const { key, ctrlKey, metaKey, shiftKey } = event;
  if (ctrlKey || metaKey) return key === 'a' && isWithin(event, '.list') ? chooseEverything : undefined;
  if (Object.hasOwn(arrows, key) && isWithin(event, '.list')) {
    return (shiftKey ? extending : arrows)[key];
  }
  // A key that is held down moves on and on, but deletes once.
  if (event.repeat && !/^[jk]$/i.test(key)) return undefined;
  // The focus returns to the page itself whenever an element that has it goes.
  if (/^(?:[dmxJK]|Enter)$/.test(key) && !isWithin(event, '.list, .reader')) return undefined;
  return key === 'Escape' || settings.value.keys ? actions[key] : undefined;
}

/** Active within the list only, where these are not letters to be turned off and have no other use. */
const arrows: Readonly<Record<string, () => void>> = {
  ArrowDown: () => {
    moveSelection(1);
  },
  ArrowUp: () => {
    moveSelection(-1);
  },
  ArrowLeft: moveInRow,
  ArrowRight: moveInRow,
  Home: () => {
    select(0);
  },
  End: () => {
    select(-1);
  },
};

/** From a row to the button for its code and back: Tab stops only once in the list. */
function moveInRow(): void {
  const row = document.activeElement?.closest('.row');
  const places = [...(row?.querySelectorAll<HTMLElement>('a, input, button') ?? [])];
  places.find((place) => place !== document.activeElement)?.focus();
}

function select(at: 0 | -1): void {
  withMailbox(({ found }) => {
    selectedId.value = found.value.at(at)?.id ?? null;
  });
}

/** With Shift, the rows passed over are selected. */
const extending: Readonly<Record<string, () => void>> = {
  ArrowDown: () => {
    extendBy(1);
  },
  ArrowUp: () => {
    extendBy(-1);
  },
};

function extendBy(by: 1 | -1): void {
  withMailbox((mailbox) => {
    if (!mailbox.isReadOnly) extendChoice(mailbox, by);
  });
}

function chooseEverything(): void {
  withMailbox((mailbox) => {
    if (!mailbox.isReadOnly) chooseAll(mailbox);
  });
}

function isWithin({ target }: Event, places: string): boolean {
  return target instanceof Element && target.closest(places) !== null;
}

/**
 * Handles a key reported by a message's frame, which has the focus. Only with the browser's sign of a real
 * interaction.
 */
export function pressKeyInFrame(key: string): void {
  const action = actions[key];
  const isTouched = 'userActivation' in navigator && navigator.userActivation.isActive;
  if (!action || dialog.value !== null) return;
  if (key === 'Escape' || (isTouched && settings.value.keys)) action();
}

const actions: Readonly<Record<string, () => void>> = {
  j: () => {
    moveSelection(1);
  },
  k: () => {
    moveSelection(-1);
  },
  Enter: () => {
    if (selectedId.value !== null) openMessage(selectedId.value);
  },
  J: () => {
    extendBy(1);
  },
  K: () => {
    extendBy(-1);
  },
  Escape: () => {
    if (chosen.value !== null) stopChoosing();
    else if (isEnlarged.value) isEnlarged.value = false;
    else closeMessage();
  },
  c: copyCodeOrAddress,
  a: copyAddress,
  x: () => {
    const id = openMessageId.value ?? selectedId.value;
    withMailbox((mailbox) => {
      if (mailbox.isReadOnly) return;
      if (id === null) startChoice();
      else toggleChosen(id);
    });
  },
  m: () => {
    withMailbox((mailbox) => {
      const id = openMessageId.value ?? selectedId.value;
      if (listChosen(mailbox).length > 0) markChosen(mailbox);
      else if (id !== null) markMessages(mailbox, [id], isAnyUnread(mailbox, [id]));
    });
  },
  d: () => {
    const id = openMessageId.value ?? selectedId.value;
    withMailbox((mailbox) => {
      if (listChosen(mailbox).length > 0) deleteChosen(mailbox);
      else if (id !== null) deleteMessage(mailbox, id);
    });
  },
  u: () => {
    undoDelete();
  },
  n: () => {
    inBackground(createNow());
  },
  s: switchToNext,
  '/': () => {
    document.querySelector<HTMLElement>('#search')?.focus();
  },
  '?': () => {
    openDialog('keys');
  },
};

function withMailbox(action: (mailbox: Mailbox) => void): void {
  const { value: mailbox } = current;
  if (mailbox && !mailbox.isOver.value) action(mailbox);
}

/** Opens the next message if one is open, else moves the selection. */
export function moveSelection(by: 1 | -1): void {
  withMailbox(({ found }) => {
    const at = found.value.findIndex(({ id }) => id === (openMessageId.value ?? selectedId.value));
    const next = found.value[at < 0 ? 0 : at + by];
    if (!next) return;
    if (openMessageId.value === null) selectedId.value = next.id;
    else openMessage(next.id);
  });
}

function copyCodeOrAddress(): void {
  withMailbox(({ shown }) => {
    const id = openMessageId.value ?? selectedId.value;
    const code =
      reading.value?.message?.codes[0]?.value ??
      shown.value.find((message) => message.id === id)?.code ??
      null;
    if (code === null) copyAddress();
    else inBackground(copyAndNotify(code, t('inbox.codeCopied', { code })));
  });
}

function copyAddress(): void {
  withMailbox(({ email }) => {
    inBackground(copyAndNotify(email, t('address.copied')));
  });
}

function switchToNext(): void {
  const all = mailboxes.value;
  const next = all[(all.findIndex((mailbox) => mailbox === current.value) + 1) % all.length];
  if (next && next !== current.value) switchAddress(next.token);
}

/** Reports whether keys at the element are text. */
export function isTyping(target: EventTarget | null): boolean {
  const fields = 'input:not([type=checkbox]), textarea, select';
  return target instanceof HTMLElement && (target.isContentEditable || target.closest(fields) !== null);
}
