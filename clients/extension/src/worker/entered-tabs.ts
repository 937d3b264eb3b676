// The tabs in which an address was filled in. When one goes on to its site's next page, the content script is brought
// there, so that the code is offered where it is asked for.
import { listAddresses } from './addresses.ts';

const contentScript = 'page.js';
const name = 'tabs';
/** The oldest are forgotten. */
const enteredMax = 50;

/**
 * Milliseconds before a tab is tried again. On a busy machine the script reaches the tab's process before the permission
 * that the press of the button has given it, and is refused.
 */
const pauses = [20, 100, 400, 1000];

/** Brings the content script into a tab, where that is allowed; it does nothing where it already is. */
export async function enterTab(tabId: number): Promise<boolean> {
  const target = { tabId, allFrames: true };
  for (const pause of [...pauses, undefined]) {
    try {
      await chrome.scripting.executeScript({ target, files: [contentScript] });
      await chrome.scripting.executeScript({ target, func: connect });
      return true;
    } catch (error) {
      console.info(String(error));
    }
    if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return false;
}

/** Runs in the frame, beside the content script. */
function connect(): void {
  (globalThis as { mayfly?: { connect(): void } }).mayfly?.connect();
}

export async function noteEntered(tabId: number): Promise<void> {
  const tabs = [...(await listEntered()).filter((id) => id !== tabId), tabId];
  try {
    await chrome.storage.session.set({ [name]: tabs.slice(-enteredMax) });
  } catch (error) {
    // The code is then offered there only after another press.
    console.warn(String(error));
  }
  await followTabs();
}

async function listEntered(): Promise<readonly number[]> {
  const { [name]: tabs } = await chrome.storage.session.get(name);
  return Array.isArray(tabs) ? (tabs as readonly number[]) : [];
}

/** Listens only while there is an address, since every page that loads anywhere would wake the worker. */
export async function followTabs(): Promise<void> {
  chrome.tabs.onUpdated.addListener(onUpdated);
  // Removing it is what makes the browser forget that an earlier worker listened.
  if ((await listAddresses()).length === 0) chrome.tabs.onUpdated.removeListener(onUpdated);
}

function onUpdated(tabId: number, { status }: { status?: string }): void {
  if (status === 'complete') void reenter(tabId);
}

async function reenter(tabId: number): Promise<void> {
  if ((await listEntered()).includes(tabId)) await enterTab(tabId);
}
