// Where the reader is: which message is open, which dialog. An open message stands in the address bar as `#message-ID`,
// so that the back button closes it; nothing else ever stands there.
import { signal } from '@preact/signals';

export type DialogName = 'create' | 'share' | 'offer' | 'end' | 'log' | 'settings' | 'keys';

export const openMessageId = signal<number | null>(null);
export const dialog = signal<DialogName | null>(null);
/** The row that the keyboard is at; null for none. */
export const selectedId = signal<number | null>(null);

export function startNavigation(): void {
  openMessageId.value = parseHash();
  selectedId.value = openMessageId.value;
  window.addEventListener('popstate', () => {
    openMessageId.value = parseHash();
  });
}

export function openMessage(id: number): void {
  selectedId.value = id;
  if (openMessageId.value === id) return;
  const url = `#message-${id}`;
  // One step back closes it, however many were read.
  if (openMessageId.value === null) history.pushState({ isOurs: true }, '', url);
  else history.replaceState(history.state, '', url);
  openMessageId.value = id;
}

export function closeMessage(): void {
  if (openMessageId.value === null) return;
  const state: unknown = history.state;
  if (typeof state === 'object' && state !== null && 'isOurs' in state) history.back();
  else history.replaceState(null, '', location.pathname + location.search);
  openMessageId.value = null;
}

export function openDialog(name: DialogName): void {
  dialog.value = name;
}

export function closeDialog(): void {
  dialog.value = null;
}

function parseHash(): number | null {
  const found = /^#message-(\d{1,15})$/.exec(location.hash);
  return found ? Number(found[1]) : null;
}
