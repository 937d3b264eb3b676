// Stores .eml files that are dropped anywhere on the page in the current inbox, where they appear like new mail. Without
// this, a browser would leave the page to show them.
import { importMail } from '../../api/operations.ts';
import { current } from '../../state/mailboxes.ts';
import { inBackground } from '../report-fault.ts';

export function startDropping(): void {
  window.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = canTake() ? 'copy' : 'none';
  });
  window.addEventListener('drop', (event) => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    const token = canTake() ? current.value?.token : undefined;
    if (token !== undefined) inBackground(storeAll(token, files));
  });
}

function canTake(): boolean {
  const mailbox = current.value;
  return mailbox !== null && !mailbox.isReadOnly && !mailbox.isOver.value;
}

/** One after another, in the order of the files. */
async function storeAll(token: string, files: readonly File[]): Promise<void> {
  for (const file of files) await importMail(token, file);
}
