// Copying with an answer: what was copied is said, and a browser that refuses is told of. For keys and for buttons that
// do not show the answer themselves.
import { t } from '../i18n/translate.ts';
import { copyText } from './copy-text.ts';
import { notify } from './notices.ts';

/** @param done what to tell when it worked */
export async function copyAndTell(text: string, done: string): Promise<void> {
  const isCopied = await copyText(text);
  notify(
    isCopied ? { kind: 'info', text: done, lastsMs: 2500 } : { kind: 'error', text: t('app.copyFailed') },
  );
}
