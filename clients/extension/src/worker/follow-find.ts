// Opens the link of a mail. Its address is a secret of the person's, so it goes from the mail into the tab, past the page.
import { findAddress, openInbox } from './addresses.ts';
import { findInMail } from './find-offer.ts';

/** Opens it beside the tab. Does nothing if the mail has no link. */
export async function followFind(key: string, id: number, tabId?: number): Promise<void> {
  const address = await findAddress(key);
  if (!address) return;
  const kept = address.find?.id === id ? address.find.url : null;
  const url = kept ?? (await findInMail(await openInbox(address), id, address)).url;
  if (url === null) return;
  const tab = tabId === undefined ? undefined : await chrome.tabs.get(tabId);
  await chrome.tabs.create({
    url,
    ...(tab === undefined ? {} : { index: tab.index + 1, windowId: tab.windowId, openerTabId: tabId }),
  });
}
