// Follows the mail of addresses whose pages are open. The browser may end the worker at any moment: what was seen is
// kept with the address, and whatever asks for the address again continues there.
import { MayflyError, MayflyUnreachable } from 'mayfly-client';

import {
  type Find,
  findAddress,
  forgetAddress,
  isOver,
  openInbox,
  type SiteAddress,
  toOffer,
  updateAddress,
} from './addresses.ts';
import { findInMail, findInSummary } from './find-offer.ts';
import type { Offer } from '../shared/messages.ts';

/** Milliseconds before an unreachable service is tried again. */
const pause = 5000;
/** Milliseconds for which a busy service is asked again: no person waits for a single answer. */
const longPatience = 30_000;
const running = new Map<string, AbortController>();

type Tell = (key: string, offer: Offer | null) => void;

/** Over HTTP/1.1 a browser has six connections to a host, which streams must not use up. */
const streamsMax = 3;

/**
 * Follows the address's mail, unless that is done already; the address that was asked for longest ago is left instead.
 * `tell` gets each offer.
 */
export function watch(key: string, tell: Tell): void {
  const known = running.get(key);
  running.delete(key);
  const controller = known ?? new AbortController();
  running.set(key, controller);
  const [oldest] = running.keys();
  if (running.size > streamsMax && oldest !== undefined) unwatch(oldest);
  if (known) return;
  void follow(key, tell, controller.signal).finally(() => {
    if (running.get(key) === controller) running.delete(key);
  });
}

export function unwatch(key: string): void {
  running.get(key)?.abort();
  running.delete(key);
}

async function follow(key: string, tell: Tell, signal: AbortSignal): Promise<void> {
  for (;;) {
    const address = await findAddress(key);
    if (!address || signal.aborted) return;
    try {
      await followOnce(address, tell, signal);
      if (!signal.aborted) await forgetAddress(key);
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (isOver(error)) {
        await forgetAddress(key);
        return;
      }
      // Anything else passes, such as a limit of streams; only what is not there any more is given up.
      if (!(error instanceof MayflyUnreachable)) console.warn(String(error));
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Returns when the address has ended. */
async function followOnce(address: SiteAddress, tell: Tell, signal: AbortSignal): Promise<void> {
  const { key, after } = address;
  const inbox = await openInbox(address, longPatience);
  const show = async (find: Find, seen: number | undefined): Promise<void> => {
    if (signal.aborted) return;
    // Together, so that a worker that ends here does not offer it again; noted first, so that a page that looks now finds it.
    const kept = updateAddress(address, { find, ...(seen === undefined ? {} : { after: seen }) });
    tell(key, toOffer(find));
    await kept;
  };
  for await (const { type, id, message } of inbox.events({ after, signal })) {
    if (type === 'message.received' && message) {
      const first = findInSummary(message, address);
      if (first.code !== null) await show(first, id);
      const whole = await findInMail(inbox, message.id, address).catch((error: unknown) => {
        if (!(error instanceof MayflyError)) throw error;
        // Deleted meanwhile, or not readable: its code was offered.
        console.warn(String(error));
        return first;
      });
      const isMore = whole.link !== null || whole.code !== first.code;
      // Not a mail whose code was used while it was being read.
      const isOpen = first.code === null || (await findAddress(key))?.find?.id === message.id;
      if (isMore && isOpen) await show(whole, id);
    }
    if (id !== undefined) await updateAddress(address, { after: id });
  }
}
