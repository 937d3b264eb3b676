// Copies a new code when the reader returns to the page, as the settings allow. Loaded when such a code comes.
import { t } from '../../i18n/translate.ts';
import { copyText } from '../copy-text.ts';
import { copyAndNotify } from '../copying.ts';
import { notify } from '../notices.ts';
import { inBackground } from '../report-fault.ts';

/** @param isWanted whether the code is still there, and still to be copied, when the reader returns */
export function copyOnReturn(code: string, isWanted: () => boolean): void {
  const copy = (): void => {
    if (isWanted()) inBackground(copyNow(code));
  };
  // The reader may have returned while this was loaded.
  if (document.hasFocus()) copy();
  else window.addEventListener('focus', copy, { once: true });
}

/** Some browsers let a page write to the clipboard only after a click: then it is offered. */
async function copyNow(code: string): Promise<void> {
  const done = t('inbox.codeCopied', { code });
  if (await copyText(code)) {
    notify({ kind: 'info', text: done });
    return;
  }
  const run = (): void => {
    inBackground(copyAndNotify(code, done));
  };
  const text = `${t('inbox.newestCode')}: ${code}`;
  notify({ kind: 'info', text, lastsMs: 15_000, action: { label: t('address.copyShort'), run } });
}
