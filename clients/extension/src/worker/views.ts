// Answers the popup and the options, the extension's own pages.
import type { Inbox } from 'mayfly-client';

import type { FromView, Look, ShownAddress, ShownMail } from '../shared/messages.ts';
import { patternOf } from '../shared/settings.ts';
import { keyOf, plain, siteOf } from '../shared/site.ts';
import {
  connect,
  endAddress,
  findAddress,
  isOver,
  listAddresses,
  forgetAddress,
  openInbox,
} from './addresses.ts';
import type { Find, SiteAddress } from './addresses.ts';
import { describeFailure } from './describe-failure.ts';
import { findInMail } from './find-offer.ts';
import { followFind } from './follow-find.ts';
import { clearAddress, giveAddress, useAddress } from './frames.ts';
import { registerIcon, setUpButton } from './icon-places.ts';
import { isService } from './service-origin.ts';
import { takeStep } from './toolbar.ts';
import { readSettings } from '../shared/settings.ts';

/** Mails of one address that the popup shows, and reads for their link and code. */
const shownMax = 10;

export async function answerView(message: FromView): Promise<unknown> {
  try {
    return await answer(message);
  } catch (error) {
    return { failure: (await describeFailure(error)).text };
  }
}

async function answer(message: FromView): Promise<unknown> {
  switch (message.kind) {
    case 'look':
      return look(message.tabId);
    case 'step':
      return takeStep(await chrome.tabs.get(message.tabId));
    case 'other':
      return fillOther(await chrome.tabs.get(message.tabId), message.key);
    case 'end':
      return end(message.key);
    case 'follow':
      return followFind(message.key, message.id);
    case 'check':
      return (await connect(await readSettings()).domains()).map(({ domain }) => domain);
    case 'changed':
      await registerIcon();
      return setUpButton();
  }
}

async function look(tabId: number): Promise<Look> {
  const tab = await chrome.tabs.get(tabId);
  const { service } = await readSettings();
  const site = siteOf(tab.url) ?? null;
  const own = keyOf(tab.url ?? '', tab.incognito);
  const addresses = (await listAddresses())
    .filter(({ key }) => key.startsWith('private ') === tab.incognito)
    .sort((one, other) => rank(other, own) - rank(one, own) || other.expiresAt - one.expiresAt);
  const isPage = site !== null && !(await isService(tab.url ?? ''));
  const shown = await Promise.all(addresses.map(show));
  return {
    isSetUp: service !== '',
    site: isPage ? site : null,
    pattern: isPage && tab.url !== undefined ? patternOf(tab.url) : null,
    canFill: isPage && service !== '',
    key: own,
    addresses: shown.filter((address) => address !== null),
  };
}

/** The address that the page has, then those that it had before. */
function rank({ key }: SiteAddress, own: string): number {
  return Number(key === own) + Number(key.startsWith(own));
}

/** By address and message: the popup asks again every few seconds. */
const found = new Map<string, Find>();
const foundMax = 200;

async function findOnce(inbox: Inbox, id: number, address: SiteAddress): Promise<Find> {
  const name = `${inbox.email} ${id}`;
  const find = found.get(name) ?? (await findInMail(inbox, id, address));
  if (found.size >= foundMax) found.clear();
  found.set(name, find);
  return find;
}

async function show(address: SiteAddress): Promise<(ShownAddress & { key: string }) | null> {
  const { key, email, expiresAt } = address;
  const shown = { key, site: key.includes(plain) ? plain + address.site : address.site, email, expiresAt };
  try {
    const inbox = await openInbox(address);
    const messages = (await inbox.messages()).slice(0, shownMax);
    const mails = messages.map(async (message): Promise<ShownMail> => {
      const { code, link } = await findOnce(inbox, message.id, address);
      const { id, senderName, senderEmail, subject, receivedAt, preview } = message;
      const sender = senderName === '' ? senderEmail : senderName;
      return { id, sender, subject, receivedAt: receivedAt.getTime(), preview, code, link };
    });
    return { ...shown, expiresAt: inbox.expiresAt.getTime(), mails: await Promise.all(mails) };
  } catch (error) {
    if (!isOver(error)) return { ...shown, mails: (await describeFailure(error)).text };
    await forgetAddress(key);
    return null;
  }
}

async function fillOther(tab: chrome.tabs.Tab, beside: string | undefined): Promise<unknown> {
  const { url = '', incognito } = tab;
  const site = siteOf(url);
  if (beside !== undefined) await useAddress(beside);
  if (site !== undefined) await giveAddress(keyOf(url, incognito), site, beside === undefined);
  return takeStep(tab, true);
}

async function end(key: string): Promise<void> {
  const address = await findAddress(key);
  if (address) await endAddress(address);
  await clearAddress(key);
}
