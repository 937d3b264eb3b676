// Shortcuts of one key, where no field and no dialog has the keyboard. They can be turned off in the settings (WCAG
// 2.1.4); Escape always works. Started once by app/start.ts.
import { t } from '../i18n/translate.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { current, mailboxes } from '../state/mailboxes.ts';
import { settings } from '../state/settings.ts';
import { switchAddress } from './addresses.ts';
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
import { copyAndTell } from './copying.ts';
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
    if (!action || (event.key === 'Enter' && isControl(event.target))) return;
    event.preventDefault();
    action();
  });
}

function findAction(event: KeyboardEvent): (() => void) | undefined {
  const { key, ctrlKey, metaKey, shiftKey } = event;
  if (ctrlKey || metaKey) return key === 'a' && isInList(event) ? chooseEverything : undefined;
  const { keys } = settings.value;
  if (Object.hasOwn(arrows, key) && isInList(event)) return (shiftKey ? extending : arrows)[key];
  return key === 'Escape' || keys ? actions[key] : undefined;
}

/** Within the list, where there is no letter to be turned off and nothing else that arrows would do. */
const arrows: Readonly<Record<string, () => void>> = {
  ArrowDown: () => {
    moveSelection(1);
  },
  ArrowUp: () => {
    moveSelection(-1);
  },
};

/** The same with Shift: what is walked over is chosen. */
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

function isInList({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.closest('.list') !== null;
}

/** Told by the frame of a message, which has the keyboard then. Only while the browser says that a person is at it. */
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
    openDialog('create');
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

/** With a message open the next one is opened, else the row is chosen. */
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
    else inBackground(copyAndTell(code, t('inbox.codeCopied', { code })));
  });
}

function copyAddress(): void {
  withMailbox(({ email }) => {
    inBackground(copyAndTell(email, t('address.copied')));
  });
}

function switchToNext(): void {
  const all = mailboxes.value;
  const next = all[(all.findIndex((mailbox) => mailbox === current.value) + 1) % all.length];
  if (next && next !== current.value) switchAddress(next.token);
}

function isTyping(target: EventTarget | null): boolean {
  const fields = 'input:not([type=checkbox]), textarea, select, [contenteditable]';
  return target instanceof HTMLElement && target.matches(fields);
}

/** Enter is theirs. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('button, a, summary') !== null;
}
