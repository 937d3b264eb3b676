// The reader's position: which message is open, whether it is enlarged, and which dialog. Each is an entry of the
// browser's history, so that Back closes the dialog, ends the selection, then closes the message. An open message is
// in the address bar as `#message-ID`; nothing else is.
import { effect, signal } from '@preact/signals';

export type DialogName =
  | 'create'
  | 'addresses'
  | 'share'
  | 'offer'
  | 'end'
  | 'log'
  | 'settings'
  | 'keys'
  | 'label'
  | 'keep'
  | 'picture';

export const openMessageId = signal<number | null>(null);
/** Whether the open message fills the whole window. */
export const isEnlarged = signal(false);
export const dialog = signal<DialogName | null>(null);
/** Messages selected for a common action; null while there is no selection. */
export const chosen = signal<ReadonlySet<number> | null>(null);
/** The row at the keyboard's position; null for none. */
export const selectedId = signal<number | null>(null);

const layers = ['message', 'large', 'choice', 'dialog'] as const;
/** Our history entries above the list, lowest first. */
type Stack = readonly (typeof layers)[number][];

/** The history as it will be once the current step is done. */
let written: Stack = [];
let isStepping = false;
let isDue = false;

export function startNavigation(): void {
  takePlace();
  selectedId.value = openMessageId.value;
  window.addEventListener('popstate', () => {
    if (isStepping) {
      isStepping = false;
      written = readStack();
    } else {
      takePlace();
      // Going forward does not bring a dialog back: its subject may be gone.
      dialog.value = null;
    }
    writeHistory();
  });
  effect(() => {
    // Read here, so that every change of them runs this.
    void [openMessageId.value, isEnlarged.value, chosen.value, dialog.value];
    // Several changes in a row are written once.
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      writeHistory();
    });
  });
}

/** Shows the state of the current history entry. */
function takePlace(): void {
  written = readStack();
  openMessageId.value = parseHash();
  isEnlarged.value = written.includes('large');
  if (!written.includes('choice')) chosen.value = null;
  // An address typed or followed is not an entry of ours: an entry for the list goes below the message.
  if (openMessageId.value !== null && written.length === 0) history.replaceState(null, '', listUrl());
}

/** Brings the history in line with what is shown. Going back is asynchronous; the rest is written afterwards. */
function writeHistory(): void {
  // share-link.ts takes a link that opens an inbox out of the address bar.
  if (isStepping || location.hash.startsWith('#share=')) return;
  const isShown = {
    message: openMessageId.value !== null,
    large: isEnlarged.value,
    choice: chosen.value !== null,
    // Back from the question that a link opens leads to where the link was.
    dialog: dialog.value !== null && dialog.value !== 'offer',
  };
  const wanted = layers.filter((layer) => isShown[layer]);
  let common = 0;
  while (common < written.length && written[common] === wanted[common]) common += 1;
  if (written.length > common) {
    isStepping = true;
    history.go(common - written.length);
    return;
  }
  const url = openMessageId.value === null ? listUrl() : `#message-${openMessageId.value}`;
  for (let at = common; at < wanted.length; at++) {
    history.pushState({ stack: wanted.slice(0, at + 1) }, '', url);
  }
  if (common === wanted.length) history.replaceState({ stack: wanted }, '', url);
  written = wanted;
}

/** Called only for what the reader did, which is why the focus follows. */
export function openMessage(id: number): void {
  // A message that opened by itself has its title already, which takes the focus when another is shown.
  const title = openMessageId.value === id ? document.getElementById('message-title') : null;
  selectedId.value = id;
  shownByItself.value = null;
  openMessageId.value = id;
  (title ?? document.querySelector<HTMLElement>('.reader'))?.focus({ preventScroll: true });
}

/** The message that opened by itself and left the focus where it was; null for none. */
export const shownByItself = signal<number | null>(null);

/** Opens a message that the reader did not ask for. */
export function showMessage(id: number): void {
  shownByItself.value = id;
  openMessageId.value = id;
}

export function closeMessage(): void {
  openMessageId.value = null;
  isEnlarged.value = false;
}

export function openDialog(name: DialogName): void {
  dialog.value = name;
}

export function closeDialog(): void {
  dialog.value = null;
}

function listUrl(): string {
  return location.pathname + location.search;
}

function readStack(): Stack {
  const state: unknown = history.state;
  const stack: unknown = typeof state === 'object' && state !== null && 'stack' in state ? state.stack : [];
  return Array.isArray(stack) ? layers.filter((layer) => stack.includes(layer)) : [];
}

function parseHash(): number | null {
  const found = /^#message-(\d{1,15})$/.exec(location.hash);
  return found ? Number(found[1]) : null;
}
