// Copies and shows a notice of the result. For keys, and for buttons that do not show the result themselves.
import { t } from '../i18n/translate.ts';
import { copyText } from './copy-text.ts';
import { notify } from './notices.ts';

/** @param done the notice on success */
export async function copyAndNotify(text: string, done: string): Promise<void> {
  const isCopied = await copyText(text);
  notify(
    isCopied ? { kind: 'info', text: done, lastsMs: 2500 } : { kind: 'error', text: t('app.copyFailed') },
  );
}
