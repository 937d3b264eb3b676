// Copies a text for a person who has just clicked.

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch (error) {
    // Pages may forbid that way, and those without encryption do not have it.
    console.info(String(error));
    copyAsEvent(text);
  }
}

function copyAsEvent(text: string): void {
  const put = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener('copy', put, { capture: true, once: true });
  document.execCommand('copy');
  removeEventListener('copy', put, { capture: true });
}
