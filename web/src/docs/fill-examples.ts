// Fills this browser's session into the examples of the docs page, which otherwise show `$TOKEN`. A separate file,
// loaded by /docs from the same origin. The token goes into the page's text and nowhere else. try-operations.ts has a
// session of its own.

import { parseStoredSessions, sessionsKey, type StoredSession } from '../state/addresses/stored-sessions.ts';
import { offerTrying } from './try-operations.ts';

function findSession(): StoredSession | undefined {
  const { current, sessions } = parseStoredSessions(localStorage.getItem(sessionsKey));
  return sessions.find(({ token, endsAt }) => token === current && endsAt > Date.now());
}

function fill(selector: string, text: string): void {
  for (const element of document.querySelectorAll(selector)) element.textContent = text;
}

// The page is at <base>/docs or <base>/docs/.
const base = location.origin + location.pathname.replace(/\/docs\/?$/, '');
fill('[data-base]', base);
offerTrying(base);
const session = findSession();
if (session) {
  fill('[data-token]', session.token);
  fill('[data-address]', session.email);
  for (const element of document.querySelectorAll<HTMLElement>('[data-filled]')) element.hidden = false;
}
