// Asks for the first address, and shows it, while the page's own script and style sheet, which are fifty times as long,
// are still on their way: on a slow line that is two seconds. The build puts this script into the page, which names no
// other, with the rules for what is shown (scripts/first-style.mjs); the page's policy allows both by their hashes.
// app/addresses.ts takes the answer, and the page's first view takes over the elements shown here, which stand where its
// own do.
import { isLongName, lineWords, nameLines } from './state/addresses/name-lines.ts';
import { inOneTab } from './state/addresses/one-tab.ts';
import { sessionsKey } from './state/addresses/stored-sessions.ts';
import { settingsKey } from './state/storage.ts';

/** The page's own script and style sheet, inserted by the build. */
declare const __PAGE_ENTRY__: string;
declare const __PAGE_SHEET__: string;

/** So much later than the question for the address, they come after its answer on a line where one delays the other. */
const answerLeadMs = 60;
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
      credentials: 'omit',
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
  if (!root || root.firstChild || /\bar/.test(String(navigator.languages))) return;
  const at = email.lastIndexOf('@');
  const name = email.slice(0, at);
  const local = make('span', isLongName(name) ? 'address-local is-long' : 'address-local');
  for (const line of nameLines(name)) {
    local.append(make('span', '', ...lineWords(line).flatMap((word) => [word, make('wbr', '')])));
  }
  const address = make('p', 'address', local, make('span', 'address-domain', email.slice(at)));
  address.dataset['testid'] = 'address';
  const brand = make('h1', 'brand', make('div', 'mark'), make('span', '', 'Mayfly'));
  const head = make('section', 'inbox-head', make('div', 'inbox-head-line', address));
  const rail = make('header', 'rail is-folded', brand);
  root.append(make('div', 'app', rail, make('main', 'main', make('div', 'inbox', head))));
}

function make(name: string, className: string, ...children: readonly (Element | string)[]): HTMLElement {
  const element = document.createElement(name);
  element.className = className;
  element.append(...children);
  return element;
}

/** Before anything is painted, so that a page in chosen colours does not begin in others. */
function showTheme(): void {
  try {
    const { theme } = JSON.parse(localStorage.getItem(settingsKey) ?? '{}') as Record<string, string>;
    if (theme) document.documentElement.dataset['theme'] = theme;
  } catch (error) {
    // Nothing is kept, or not by us: the page goes on with the system's colours.
    console.warn(String(error));
  }
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

async function start(): Promise<void> {
  showTheme();
  if (isFirstVisit()) {
    window.firstAnswer = askAlone();
    await Promise.race([window.firstAnswer, new Promise((done) => setTimeout(done, answerLeadMs))]);
  }
  // This stands in the head, where it runs before anything is painted.
  if (document.readyState === 'loading') {
    await new Promise((done) => {
      addEventListener('DOMContentLoaded', done);
    });
  }
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = __PAGE_SHEET__;
  document.head.append(link);
  await import(/* @vite-ignore */ __PAGE_ENTRY__);
}

void start();
