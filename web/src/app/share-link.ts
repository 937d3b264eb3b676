// The deliberate link that opens an inbox elsewhere. The token stands in the fragment, which browsers send to nobody, and
// is taken out of the address bar and the history before anything else happens.
import { showSession } from '../api/operations.ts';
import { isSessionOver } from '../api/api-error.ts';
import { t } from '../i18n/translate.ts';
import { addMailbox } from '../state/mailboxes.ts';
import { parseToken } from '../state/stored-sessions.ts';
import { notify } from './notices.ts';

const fragment = '#share=';

export function toShareLink(token: string): string {
  return `${location.origin}${location.pathname}${fragment}${token}`;
}

/** The token that the page was opened with, taken out of the address bar; undefined for none. */
export function takeSharedToken(): string | undefined {
  if (!location.hash.startsWith(fragment)) return undefined;
  const token = parseToken(location.hash.slice(fragment.length));
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}

/**
 * False when the session is over.
 * @throws ApiError for anything else
 */
export async function openShared(token: string): Promise<boolean> {
  try {
    const { email, expires_in: inSeconds } = await showSession(token);
    addMailbox({ token, email, endsAt: Date.now() + inSeconds * 1000 });
    notify({ kind: 'info', text: t('share.opened', { email }) });
    return true;
  } catch (error) {
    if (!isSessionOver(error)) throw error;
    notify({ kind: 'error', text: t('share.failed') });
    return false;
  }
}
