// Reports an error of something the reader requested: an ApiError in words, a fault of the app in the console and as a
// notice.
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

/** Logs a fault of the app in background work, which the reader did not request. */
export function logFault(error: unknown): void {
  console.error(error);
}

/** Runs work from event handlers, which await nothing. */
export function inBackground(work: Promise<unknown>): void {
  work.catch(reportError);
}
