// Where the reader is: which message is open, how large, and which dialog. Each is an entry of the browser's history, so
// that Back closes the dialog, ends choosing several, and then closes the message. An open message stands in the address
// bar as `#message-ID`; nothing else does.
import { effect, signal } from '@preact/signals';

export type DialogName =
  'create' | 'share' | 'offer' | 'end' | 'log' | 'settings' | 'keys' | 'label' | 'keep' | 'picture';

export const openMessageId = signal<number | null>(null);
/** Whether the message that is open has the whole window. */
export const isEnlarged = signal(false);
export const dialog = signal<DialogName | null>(null);
/** Messages chosen to do something with them together; null while none are being chosen. */
export const chosen = signal<ReadonlySet<number> | null>(null);
/** The row that the keyboard is at; null for none. */
export const selectedId = signal<number | null>(null);

const layers = ['message', 'large', 'choice', 'dialog'] as const;
/** Entries of ours above the list, lowest first. */
type Stack = readonly (typeof layers)[number][];

/** The history as it is, or will be once the step under way is done. */
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
      // Not brought back by going forward: what it was about may be gone.
      dialog.value = null;
    }
    writeHistory();
  });
  effect(() => {
    // Read here, so that every change of them comes to this.
    void [openMessageId.value, isEnlarged.value, chosen.value, dialog.value];
    // Several changes in a row make one.
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      writeHistory();
    });
  });
}

/** What the entry shown says. */
function takePlace(): void {
  written = readStack();
  openMessageId.value = parseHash();
  isEnlarged.value = written.includes('large');
  if (!written.includes('choice')) chosen.value = null;
  // An address that was typed or followed is no entry of ours: one for the list goes below the message.
  if (openMessageId.value !== null && written.length === 0) history.replaceState(null, '', listUrl());
}

/** Makes the history agree with what is shown. Going back takes a while; the rest is written when it has come to pass. */
function writeHistory(): void {
  // A link that opens an inbox is taken out of the address bar by the one who reads it (share-link.ts).
  if (isStepping || location.hash.startsWith('#share=')) return;
  const isShown = {
    message: openMessageId.value !== null,
    large: isEnlarged.value,
    choice: chosen.value !== null,
    // Back from the question that a link asks leads to where the link was.
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

export function openMessage(id: number): void {
  selectedId.value = id;
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
