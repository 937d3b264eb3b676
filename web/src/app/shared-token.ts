// The secret of a link that opens an inbox. It is in the fragment, which browsers do not send to servers, and is taken out
// of the address bar and the history before anything else happens.
import { parseToken } from '../state/addresses/stored-sessions.ts';

const fragment = '#share=';

/** The message that the link names; null for none. */
let linkedId: number | null = null;

/** @param id of a message that the link opens; absent for the inbox */
export function toShareLink(token: string, id?: number): string {
  const place = id === undefined ? '' : `&message=${id}`;
  return `${location.origin}${location.pathname}${fragment}${token}${place}`;
}

/** Takes the token that the page was opened with out of the address bar; undefined for none. */
export function takeSharedToken(): string | undefined {
  if (!location.hash.startsWith(fragment)) return undefined;
  const [given = '', place = ''] = location.hash.slice(fragment.length).split('&message=');
  const token = parseToken(given);
  linkedId = /^\d{1,15}$/.test(place) ? Number(place) : null;
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}

/** Returns the message that the link named, once; null for none. */
export function takeLinkedId(): number | null {
  const id = linkedId;
  linkedId = null;
  return id;
}
