// The popup: the tab's address with its mail, and the others.
import { askWorker } from '../shared/ask-worker.ts';
import { element } from '../shared/element.ts';
import { fail, show, tell } from './main.ts';
import { linkWords } from '../shared/link-words.ts';
import { mark } from './mark.ts';
import type { FromView, Look, ShownAddress, ShownMail } from '../shared/messages.ts';
import { text } from '../shared/texts.ts';
import { sitesPart } from './sites-part.ts';

type Address = ShownAddress & { readonly key: string };

/** Milliseconds. */
const refreshMs = 2500;

/** The content as it is shown, so that nothing is drawn anew while a person may be about to press it. */
let shown = '';
/** Questions that wait for their answer, which a new drawing must not take back. */
const asked = new Set<string>();
let lastTurn = 0;
let shownTurn = 0;

export async function showPopup(): Promise<void> {
  await refresh();
  setInterval(() => {
    refresh().catch(fail);
  }, refreshMs);
}

async function refresh(): Promise<void> {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  if (tab?.id === undefined) return;
  const turn = ++lastTurn;
  const look = await askWorker<Look>({ kind: 'look', tabId: tab.id });
  const now = JSON.stringify(look);
  // A slow answer may come after one that was asked for later.
  if (now === shown || turn < shownTurn) return;
  shownTurn = turn;
  shown = now;
  await draw(look, tab.id);
}

async function draw(look: Look, tabId: number): Promise<void> {
  const parts: HTMLElement[] = [bar(look.site)];
  if (!look.isSetUp) {
    const start = button('act wide', text('settings'), openOptions);
    show(...parts, element('p', 'note', text('errorSetUp')), start);
    return;
  }
  const own = look.addresses.find(({ key }) => key === look.key);
  if (look.canFill && !own) parts.push(stepButton('act wide', text('fillHere'), { kind: 'step', tabId }));
  else if (!look.site && look.addresses.length === 0) parts.push(element('p', 'note', text('popupNoField')));
  parts.push(...look.addresses.map((address) => addressPart(address, otherButton(look, address, tabId))));
  if (look.pattern !== null) parts.push(await sitesPart(look.pattern));
  const held =
    document.activeElement instanceof HTMLElement ? document.activeElement.dataset['name'] : undefined;
  show(...parts);
  const named = [...document.querySelectorAll<HTMLElement>('[data-name]')];
  (
    named.find(({ dataset }) => dataset['name'] === held) ?? document.querySelector<HTMLElement>('.act')
  )?.focus();
}

function bar(site: string | null): HTMLElement {
  const settings = button('plain', text('settings'), openOptions);
  return element('div', 'bar', mark(), element('h1', 'title', site ?? text('name')), settings);
}

/** Fills something in. */
function stepButton(className: string, words: string, message: FromView): HTMLElement {
  const made = button(className, words, async () => {
    const step = await askWorker<string>(message);
    if (step === 'done') close();
    else {
      await refresh();
      tell(text('popupNoField'));
    }
  });
  made.dataset['name'] = JSON.stringify(message);
  return made;
}

/** A site may have several accounts: a new address beside its own, or one that it had before. */
function otherButton({ canFill, key: own }: Look, { key }: Address, tabId: number): Node {
  if (canFill && key === own) return stepButton('plain', text('newAddress'), { kind: 'other', tabId });
  if (canFill && key.startsWith(`${own} `)) {
    return stepButton('plain', text('fill'), { kind: 'other', key, tabId });
  }
  return new Text();
}

function addressPart(address: Address, other: Node): HTMLElement {
  const { email, site, mails, expiresAt, key } = address;
  const copy = copyButton('act', email, text('copy'));
  const minutes = Math.max(1, Math.round((expiresAt - Date.now()) / 60_000));
  const end = twoSteps(`end ${key}`, ['plain', text('end'), text('endAsk')], async () => {
    await askWorker({ kind: 'end', key });
    await refresh();
  });
  const under = element(
    'div',
    'under small',
    element('span', '', `${site} · ${text('endsIn', duration(minutes))}`),
    other,
    end,
  );
  const [name = '', domain = ''] = email.split(/(?=@)/);
  // A long one breaks before its domain.
  const words = element('span', 'email', name, element('wbr', ''), domain);
  const head = element('div', 'address-head', words, copy, under);
  const part = element('section', 'address', head, mailsPart(key, mails));
  part.ariaLabel = email;
  return part;
}

function duration(minutes: number): string {
  const [unit, count] =
    minutes < 100 ? (['minute', minutes] as const) : (['hour', Math.round(minutes / 60)] as const);
  return new Intl.NumberFormat(chrome.i18n.getUILanguage(), {
    style: 'unit',
    unit,
    unitDisplay: 'short',
  }).format(count);
}

function mailsPart(key: string, mails: readonly ShownMail[] | string): HTMLElement {
  if (typeof mails === 'string') return element('p', 'empty', mails);
  if (mails.length === 0) return element('p', 'empty', text('waiting'));
  return element('ul', 'mails', ...mails.map((mail) => mailPart(key, mail)));
}

function mailPart(
  key: string,
  { id, sender, subject, receivedAt, code, link, preview }: ShownMail,
): HTMLElement {
  const time = new Intl.DateTimeFormat(chrome.i18n.getUILanguage(), { timeStyle: 'short' }).format(
    receivedAt,
  );
  const top = element('div', 'top', foreign('sender', sender), element('span', 'small', time));
  const finds = element('div', 'finds');
  if (code !== null) finds.append(copyButton('code', code, code));
  if (link !== null) {
    const follow = (): Promise<unknown> => askWorker({ kind: 'follow', key, id });
    const words = linkWords(link.kind);
    finds.append(
      link.isDoubtful
        ? twoSteps(`${key} ${id}`, ['soft', words, text('linkAsk', link.host)], follow)
        : button('soft', words, follow),
    );
  }
  const words = subject === '' ? text('noSubject') : subject;
  return element('li', 'mail', top, foreign('subject', words), foreign('small', preview), finds);
}

/** Words of strangers: whatever turns them ends where they end. */
function foreign(className: string, words: string): HTMLElement {
  const made = element('div', className, words);
  made.dir = 'auto';
  return made;
}

function copyButton(className: string, value: string, words: string): HTMLElement {
  const made = button(className, words, async () => {
    await navigator.clipboard.writeText(value);
    made.textContent = text('copied');
    setTimeout(() => (made.textContent = words), 1500);
  });
  if (words === value) made.title = text('copy');
  made.dataset['name'] = value;
  return made;
}

/** Asks once more before it acts. */
function twoSteps(
  name: string,
  [className, words, question]: readonly [string, string, string],
  act: () => Promise<unknown>,
): HTMLElement {
  const ask = (): void => {
    asked.add(name);
    made.textContent = question;
    made.classList.add('is-asking');
  };
  const made = button(className, words, async () => {
    if (asked.has(name)) await act();
    else ask();
  });
  made.dataset['name'] = name;
  if (asked.has(name)) ask();
  return made;
}

function button(className: string, words: string, act: () => Promise<unknown>): HTMLButtonElement {
  const made = element('button', className, words);
  made.type = 'button';
  made.dataset['name'] = words;
  made.addEventListener('click', () => {
    act().catch(fail);
  });
  return made;
}

async function openOptions(): Promise<void> {
  await chrome.runtime.openOptionsPage();
  close();
}
