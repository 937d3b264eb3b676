// Reports an error of something the reader requested: an ApiError in words, a fault of the app in the console and as a
// notice.
import { ApiError } from '../api/api-error.ts';
import { describeError } from '../api/error-words.ts';
import { t } from '../i18n/translate.ts';
import { notify } from './notices.ts';

/** The longest that a timer runs: weeks. */
const longestMs = 2 ** 31 - 1;

export function reportError(error: unknown): void {
  if (error instanceof ApiError) {
    notify({ kind: 'error', text: describeError(error) });
    return;
  }
  logFault(error);
  // Every browser has its own words for a part of the page that is gone, as after an upgrade of the service.
  if (/module|preload/i.test(String(error))) {
    const run = (): void => {
      location.reload();
    };
    // Until it is used: without it, what was asked for would fail again.
    const action = { label: t('app.reload'), run };
    notify({ kind: 'error', text: t('app.outdated'), lastsMs: longestMs, action });
    return;
  }
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
