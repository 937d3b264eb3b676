// Asks for the first address, and shows it, while the page's own script, which is a hundred times as long, is still on
// its way: on a slow line that is a second. Built alone; app/addresses.ts takes the answer, and the page's first view
// takes over the elements shown here, which stand where its own do.
import { inOneTab } from './state/addresses/one-tab.ts';
import { sessionsKey } from './state/addresses/stored-sessions.ts';

/** A page whose script has not come by then leaves the next tab to itself. */
const longestHoldMs = 10_000;

/** With anything kept, or a link to another inbox, the page decides. */
function isFirstVisit(): boolean {
  try {
    return localStorage.getItem(sessionsKey) === null && location.hash === '';
  } catch (error) {
    // A browser that keeps nothing: the page creates an address at each visit.
    console.warn(String(error));
    return location.hash === '';
  }
}

async function ask(): Promise<Response | null> {
  try {
    const response = await fetch('create-session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      credentials: 'omit',
      cache: 'no-store',
    });
    if (response.ok) show(((await response.clone().json()) as { email: string }).email);
    return response;
  } catch (error) {
    // The page asks again, and says so if that fails too.
    console.warn(String(error));
    return null;
  }
}

/** As views/app-view.tsx will, unless it has. A page from right to left is laid out by the page alone. */
function show(email: string): void {
  const root = document.querySelector('#app');
  if (!root || root.firstChild || navigator.languages.some((tag) => tag.startsWith('ar'))) return;
  const at = email.lastIndexOf('@');
  const address = make('p', 'address', make('span', 'address-local'), make('span', 'address-domain'));
  address.dir = 'ltr';
  address.dataset['testid'] = 'address';
  address.children[0]?.append(email.slice(0, at));
  address.children[1]?.append(email.slice(at));
  const name = make('span', '');
  name.append('Mayfly');
  const head = make('section', 'inbox-head', make('div', 'inbox-head-line', address));
  const rail = make('header', 'rail is-folded', make('h1', 'brand', name));
  root.append(make('div', 'app', rail, make('main', 'main', make('div', 'inbox', head))));
}

function make(name: string, className: string, ...children: readonly Element[]): HTMLElement {
  const element = document.createElement(name);
  element.className = className;
  element.append(...children);
  return element;
}

/** Resolves with null where another tab has made an address meanwhile. Other tabs wait until the page has kept it. */
function askAlone(): Promise<Response | null> {
  return new Promise((resolve) => {
    void inOneTab(async () => {
      const answer = isFirstVisit() ? ask() : null;
      resolve(answer);
      if ((await answer)?.ok !== true) return;
      await new Promise<void>((kept) => {
        window.firstKept = kept;
        setTimeout(kept, longestHoldMs);
      });
    });
  });
}

if (window.firstAnswer === undefined && isFirstVisit()) window.firstAnswer = askAlone();
