// Where the icon shows by itself. Where it does not, the toolbar's button does what the icon would.
import { everywhere, readSettings } from '../shared/settings.ts';

export const popup = 'view.html#popup';
const contentScript = 'page.js';
const id = 'icon';

export async function setUpButton(): Promise<void> {
  const { places, service } = await readSettings();
  const isActing = places === 'click' || service === '';
  await chrome.action.setPopup({ popup: isActing ? '' : popup });
}

let lastChange: Promise<void> = Promise.resolve();

/** Registers the content script for the places that the person chose and the browser has allowed. */
export function registerIcon(): Promise<void> {
  // One after the other: two at once would register it twice.
  lastChange = lastChange.then(register, register);
  return lastChange;
}

async function register(): Promise<void> {
  const matches = await findMatches();
  await chrome.scripting.unregisterContentScripts();
  if (matches.length === 0) return;
  await chrome.scripting.registerContentScripts([
    {
      id,
      matches: [...matches],
      js: [contentScript],
      allFrames: true,
      matchOriginAsFallback: true,
      runAt: 'document_idle',
    },
  ]);
}

async function findMatches(): Promise<readonly string[]> {
  const { places, service } = await readSettings();
  const { origins = [] } = await chrome.permissions.getAll();
  if (places === 'every') return everywhere.filter((pattern) => origins.includes(pattern));
  if (places === 'click' || service === '') return [];
  const own = `//${new URL(service).hostname}/`;
  return origins.filter((pattern) => !everywhere.includes(pattern) && !pattern.includes(own));
}
