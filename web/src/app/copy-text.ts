// Copies text to the clipboard, also on an insecure origin (plain http in a home network), where browsers offer only
// the deprecated command.
import { signal } from '@preact/signals';

/** Last copied here; null for nothing. */
export const copied = signal<string | null>(null);

/** Returns whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  const isCopied = await write(text);
  if (isCopied) copied.value = text;
  return isCopied;
}

async function write(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
  }
  return copyBySelection(text);
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  field.readOnly = true;
  const before = document.activeElement;
  // While a dialog is open, nothing outside it can be selected.
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  // Deprecated, but the only way on an insecure origin.
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
