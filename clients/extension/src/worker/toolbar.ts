// The toolbar's button and the key. Pressing either is a person's own act, which no page can imitate, and lets the
// extension into that tab (`activeTab`): there it takes the next step.
import { MayflyError } from 'mayfly-client';

import type { Press } from '../shared/messages.ts';
import { isSameSite, keyOf, siteOf } from '../shared/site.ts';
import { findAddress } from './addresses.ts';
import { describeFailure } from './describe-failure.ts';
import { enterTab, noteEntered } from './entered-tabs.ts';
import { giveAddress, takeOffer, tellFailure } from './frames.ts';
import { popup } from './icon-places.ts';
import { isService } from './service-origin.ts';

type Step = 'done' | 'none';

/** Takes the next step, and shows the popup when there is none. */
export async function pressButton(tab: chrome.tabs.Tab): Promise<void> {
  try {
    if ((await takeStep(tab)) === 'none') await showPopup(tab);
  } catch (error) {
    const failure = await describeFailure(error);
    if (!failure.isSetUp) await chrome.runtime.openOptionsPage();
    else if (tab.id !== undefined) tellFailure(tab.id, failure);
    if (!(error instanceof MayflyError)) console.warn(String(error));
  }
}

async function showPopup({ id, windowId }: chrome.tabs.Tab): Promise<void> {
  await chrome.action.setPopup({ popup, ...(id === undefined ? {} : { tabId: id }) });
  await chrome.action.openPopup({ windowId }).catch((error: unknown) => {
    // Some versions open it only at the second press.
    console.info(String(error));
  });
}

/**
 * Does the next thing in a tab: fills in the code that has come, else the address. `none` if there is neither.
 * `isInstead`: also over an address that was filled in before.
 * @throws MayflyError, MayflyUnreachable
 */
export async function takeStep(
  { id: tabId, url, incognito }: chrome.tabs.Tab,
  isInstead = false,
): Promise<Step> {
  const site = siteOf(url);
  if (tabId === undefined || url === undefined || site === undefined || (await isService(url))) return 'none';
  if (!(await enterTab(tabId))) return 'none';
  const key = keyOf(url, incognito);
  const frames = await seeFrames(tabId, url);
  const { id, code = null } = (await findAddress(key))?.find ?? {};
  const withCode = frames.find(({ hasCode }) => hasCode);
  if (withCode && id !== undefined && code !== null) {
    await press(tabId, withCode, { code });
    await takeOffer(key, id);
    return 'done';
  }
  const withEmail = frames.find(
    ({ hasEmptyEmail, hasOwnEmail }) => hasEmptyEmail || (isInstead && hasOwnEmail),
  );
  if (!withEmail) return 'none';
  const { email } = await giveAddress(key, site);
  await noteEntered(tabId);
  await press(tabId, withEmail, { email });
  // With this done, the button shows the mail.
  await chrome.action.setPopup({ tabId, popup });
  return 'done';
}

function press(
  tabId: number,
  { frameId, origin }: SeenFrame & { readonly frameId: number },
  given: Pick<Press, 'email' | 'code'>,
): Promise<unknown> {
  return chrome.tabs.sendMessage(tabId, { kind: 'press', origin, ...given } satisfies Press, { frameId });
}

interface SeenFrame {
  readonly origin: string;
  readonly hasCode: boolean;
  readonly hasEmptyEmail: boolean;
  readonly hasOwnEmail: boolean;
}

/** Returns what the frames of the page's own site have, the page itself first. */
async function seeFrames(tabId: number, url: string): Promise<readonly (SeenFrame & { frameId: number })[]> {
  const seen = await chrome.scripting.executeScript({ target: { tabId, allFrames: true }, func: report });
  return seen
    .flatMap(({ frameId, result }) => (result ? [{ ...result, frameId }] : []))
    .filter(({ origin }) => isSameSite(origin, url))
    .sort((one, other) => one.frameId - other.frameId);
}

/** Runs in the frame, beside the content script. */
function report(): SeenFrame | null {
  const { mayfly } = globalThis as { mayfly?: { report(): SeenFrame } };
  return mayfly?.report() ?? null;
}
