// The frames that have connected, and which of them shows an offer. A frame of another site than its page is refused:
// it shows nothing, and nothing it says is heard.
import type { Act, Fields, FromPage, Offer, Note, ToPage } from '../shared/messages.ts';
import { isSameSite, keyOf, siteOf } from '../shared/site.ts';
import { findAddress, takeAddress, takeBack, toOffer, updateAddress } from './addresses.ts';
import { describeFailure, type Failed } from './describe-failure.ts';
import { followFind } from './follow-find.ts';
import { noteEntered } from './entered-tabs.ts';
import { isService } from './service-origin.ts';
import { unwatch, watch } from './watching.ts';

interface Frame {
  readonly port: chrome.runtime.Port;
  readonly tabId: number;
  readonly frameId: number;
  /** The key of the address that it may use. */
  readonly key: string;
  readonly site: string;
  fields: Fields;
  /** Id of the message whose offer it shows. */
  shown: number | null;
  /** Its page, or the line to it, is no more. */
  isGone: boolean;
}

const frames = new Set<Frame>();
/** Milliseconds for which mail is still followed after the last page of a site is gone: another may be loading. */
const grace = 10_000;

/** Accepts a port of a content script. */
export function acceptFrame(port: chrome.runtime.Port): void {
  const { sender } = port;
  const { tab, frameId = 0 } = sender ?? {};
  const top = frameId === 0 ? sender?.url : tab?.url;
  const site = siteOf(top);
  // A document without an address of its own, such as about:srcdoc, has that of the page that wrote it.
  const own = /^https?:/.test(sender?.url ?? '') ? sender?.url : sender?.origin;
  // One among another site's is refused too: that site may lay anything over it.
  const isOwn = [own, ...port.name.split(' ').filter((origin) => origin !== '')].every((url) =>
    isSameSite(url, top),
  );
  if (tab?.id === undefined || site === undefined || !isOwn) {
    refuse(port);
    return;
  }
  const frame: Frame = {
    port,
    frameId,
    site,
    tabId: tab.id,
    key: keyOf(top ?? '', tab.incognito),
    fields: { hasEmail: false, hasCode: false },
    shown: null,
    isGone: false,
  };
  const admitted = admit(frame, top ?? '');
  // The first message may be the click that woke the worker, before the frame is admitted.
  port.onMessage.addListener((message: FromPage) => {
    void admitted.then((isAdmitted) => (isAdmitted ? answer(frame, message) : undefined));
  });
  port.onDisconnect.addListener(() => {
    frame.isGone = true;
    frames.delete(frame);
    setTimeout(() => {
      if (![...frames].some(({ key }) => key === frame.key)) unwatch(frame.key);
    }, grace);
    void showOffers(frame.key);
  });
  void admitted.then((isAdmitted) => (isAdmitted ? welcome(frame) : undefined));
}

async function admit(frame: Frame, url: string): Promise<boolean> {
  try {
    if (await isService(url)) {
      refuse(frame.port);
      return false;
    }
  } catch (error) {
    // Without settings there is no service; a click will say so.
    console.info(String(error));
  }
  if (!frame.isGone) frames.add(frame);
  return true;
}

async function welcome(frame: Frame): Promise<void> {
  const address = await findAddress(frame.key);
  send(frame, { kind: 'ready', isWaiting: address !== undefined });
  if (address) startWatching(frame.key);
  await showOffers(frame.key);
}

function startWatching(key: string): void {
  watch(key, (changed, offer) => {
    void showOffers(changed, offer);
  });
}

async function answer(frame: Frame, message: FromPage): Promise<void> {
  if (!('number' in message)) {
    await note(frame, message);
    return;
  }
  try {
    await act(frame, message);
  } catch (error) {
    send(frame, { kind: 'failed', ...(await describeFailure(error)) });
  }
  send(frame, { kind: 'done', number: message.number });
}

async function note(frame: Frame, message: Note): Promise<void> {
  switch (message.kind) {
    case 'fields':
      frame.fields = { hasEmail: message.hasEmail, hasCode: message.hasCode };
      await showOffers(frame.key);
      return;
    case 'ping':
      // Receiving it is enough for the browser to start its thirty seconds anew.
      if (await findAddress(frame.key)) startWatching(frame.key);
      return;
  }
}

async function act(frame: Frame, message: Act): Promise<void> {
  switch (message.kind) {
    case 'fill':
      await fill(frame);
      return;
    case 'taken':
      await takeOffer(frame.key, message.id);
      return;
    case 'open':
      await followFind(frame.key, message.id, frame.tabId);
      await takeOffer(frame.key, message.id);
      return;
    case 'settings':
      await chrome.runtime.openOptionsPage();
      return;
  }
}

async function fill(frame: Frame): Promise<void> {
  const { email } = await giveAddress(frame.key, frame.site);
  send(frame, { kind: 'email', email });
  await noteEntered(frame.tabId);
}

/** Returns the site's address, or makes another, and follows its mail. @throws as takeAddress */
export async function giveAddress(
  key: string,
  site: string,
  isAnother = false,
): Promise<{ readonly email: string }> {
  const address = await takeAddress(key, site, isAnother);
  if (isAnother) await clearAddress(key);
  startWatching(key);
  for (const frame of framesOf(key)) send(frame, { kind: 'ready', isWaiting: true });
  return address;
}

/** Ends an offer everywhere: it was used or dismissed. */
export async function takeOffer(key: string, id: number): Promise<void> {
  const address = await findAddress(key);
  if (address?.find?.id !== id) return;
  await updateAddress(address, { find: null });
  await showOffers(key);
}

/**
 * Shows the site's offer in each of its tabs: in the frames with a field for a code, else in the page itself. It moves
 * when a field appears, and goes when it is used.
 */
async function showOffers(key: string, given?: Offer | null): Promise<void> {
  const offer = given === undefined ? toOffer((await findAddress(key))?.find ?? null) : given;
  const own = framesOf(key);
  for (const frame of own) {
    const inTab = own.filter(({ tabId }) => tabId === frame.tabId);
    const isFor =
      frame.fields.hasCode || (frame.frameId === 0 && !inTab.some(({ fields }) => fields.hasCode));
    const shown = isFor ? offer : null;
    if (shown === null && frame.shown === null) continue;
    frame.shown = shown?.id ?? null;
    send(frame, { kind: 'offer', offer: shown });
  }
}

function framesOf(key: string): readonly Frame[] {
  return [...frames].filter((frame) => frame.key === key);
}

/** Lets the site have an address again that it had before another. */
export async function useAddress(beside: string): Promise<void> {
  const key = await takeBack(beside);
  if (key !== undefined) await clearAddress(key);
}

/** Forgets what pages show of an address that has ended, or was put beside. */
export async function clearAddress(key: string): Promise<void> {
  unwatch(key);
  await showOffers(key, null);
  for (const frame of framesOf(key)) send(frame, { kind: 'ready', isWaiting: false });
}

function refuse(port: chrome.runtime.Port): void {
  port.postMessage({ kind: 'refused' } satisfies ToPage);
}

function send({ port }: Frame, message: ToPage): void {
  try {
    port.postMessage(message);
  } catch (error) {
    // The page went away meanwhile; onDisconnect follows.
    console.info(String(error));
  }
}

/** Shows a failure in the page of a tab. */
export function tellFailure(tabId: number, failure: Failed): void {
  const page = [...frames].find((frame) => frame.tabId === tabId && frame.frameId === 0);
  if (page) send(page, { kind: 'failed', ...failure });
}
