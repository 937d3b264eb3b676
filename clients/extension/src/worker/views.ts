// Answers the popup and the options, the extension's own pages.
import type { Inbox } from 'mayfly-client';

import type { FromView, Look, ShownAddress, ShownMail } from '../shared/messages.ts';
import { patternOf } from '../shared/settings.ts';
import { siteOf } from '../shared/site.ts';
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
import { clearAddress, keyOf } from './frames.ts';
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
  const own = site === null ? '' : keyOf(site, tab.incognito);
  const addresses = (await listAddresses())
    .filter(({ key }) => key.startsWith('private ') === tab.incognito)
    .sort(
      (one, other) => Number(other.key === own) - Number(one.key === own) || other.expiresAt - one.expiresAt,
    );
  const isPage = site !== null && !(await isService(tab.url ?? ''));
  const shown = await Promise.all(addresses.map(show));
  return {
    isSetUp: service !== '',
    site: isPage ? site : null,
    pattern: isPage && tab.url !== undefined ? patternOf(tab.url) : null,
    canFill: isPage && service !== '',
    addresses: shown.filter((address) => address !== null),
  };
}

/** By address and message: the popup asks again every few seconds. */
const found = new Map<string, Find>();
const foundMax = 200;

async function findOnce(inbox: Inbox, id: number, site: string): Promise<Find> {
  const name = `${inbox.email} ${id}`;
  const find = found.get(name) ?? (await findInMail(inbox, id, site));
  if (found.size >= foundMax) found.clear();
  found.set(name, find);
  return find;
}

async function show(address: SiteAddress): Promise<(ShownAddress & { key: string }) | null> {
  const { key, site, email, expiresAt } = address;
  const shown = { key, site, email, expiresAt };
  try {
    const inbox = await openInbox(address);
    const messages = (await inbox.messages()).slice(0, shownMax);
    const mails = messages.map(async (message): Promise<ShownMail> => {
      const { code, link } = await findOnce(inbox, message.id, site);
      const { id, senderName, senderEmail, subject, receivedAt, preview } = message;
      const sender = senderName === '' ? senderEmail : senderName;
      return { id, sender, subject, receivedAt: receivedAt.getTime(), preview, code, link };
    });
    return { ...shown, expiresAt: inbox.expiresAt.getTime(), mails: await Promise.all(mails) };
  } catch (error) {
    if (!isOver(error)) return { ...shown, mails: null };
    await forgetAddress(key);
    return null;
  }
}

async function end(key: string): Promise<void> {
  const address = await findAddress(key);
  if (address) await endAddress(address);
  await clearAddress(key);
}
