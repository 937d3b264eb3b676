// What to do with an error that a person asked something and got: one of the service in words, one of the app in the
// console, where whoever looks into it will look, and a notice.
import { ApiError } from '../api/api-error.ts';
import { describeError } from '../api/error-words.ts';
import { t } from '../i18n/translate.ts';
import { notify } from './notices.ts';

export function reportError(error: unknown): void {
  if (error instanceof ApiError) {
    notify({ kind: 'error', text: describeError(error) });
    return;
  }
  logFault(error);
  notify({ kind: 'error', text: t('app.failed') });
}

/** Of the app's own making; nobody asked, so nobody is told. */
export function logFault(error: unknown): void {
  console.error(error);
}

/** For event handlers, which nobody awaits. */
export function inBackground(work: Promise<unknown>): void {
  work.catch(reportError);
}
