// Puts text into the clipboard, also where the page has no secure origin (a plain http address in a home network), for
// which browsers offer only the old way.

/** Whether it worked. */
export async function copyText(text: string): Promise<boolean> {
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
  // Outside of an open dialog nothing can be selected.
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  // Deprecated, and the only way without a secure origin.
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
