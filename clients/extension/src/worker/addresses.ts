// The addresses that were made, one for each site. In storage.session: in memory, until the browser ends, and out of
// reach of pages and content scripts.
import { type Inbox, Mayfly, MayflyError } from 'mayfly-client';

import type { Offer } from '../shared/messages.ts';
import { readSettings, type Settings } from '../shared/settings.ts';
import { makePrefix } from '../shared/site.ts';

export interface SiteAddress {
  /** The site, with a mark for private windows: those share nothing with others. */
  readonly key: string;
  readonly site: string;
  readonly service: string;
  readonly email: string;
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** Place in the log up to which events were seen. */
  readonly after: number;
  /** The newest mail with a code or link that was neither used nor dismissed. */
  readonly find: Find | null;
}

/** An offer with what only the worker knows. */
export interface Find extends Offer {
  readonly url: string | null;
}

/** For requests that a person waits for, in milliseconds. */
const patience = 4000;
/** A label with 50 random bits is taken only by accident. */
const attempts = 3;
const prefix = 'address ';

/**
 * This machine's clock may be wrong, and its time zone with it: the service says when an address has ended, and only one
 * that has ended by any clock is forgotten without a question.
 */
const clockErrorMax = 26 * 3_600_000;

function hasEnded({ expiresAt }: SiteAddress): boolean {
  return expiresAt + clockErrorMax <= Date.now();
}

export async function findAddress(key: string): Promise<SiteAddress | undefined> {
  const { [prefix + key]: kept } = await chrome.storage.session.get(prefix + key);
  const address = kept as SiteAddress | undefined;
  if (address === undefined || !hasEnded(address)) return address;
  await forgetAddress(key);
  return undefined;
}

/** Returns those that have not ended. */
export async function listAddresses(): Promise<readonly SiteAddress[]> {
  const kept: Record<string, unknown> = await chrome.storage.session.get(null);
  const addresses = Object.entries(kept)
    .filter(([name]) => name.startsWith(prefix))
    .map(([, address]) => address as SiteAddress);
  return addresses.filter((address) => !hasEnded(address));
}

export async function forgetAddress(key: string): Promise<void> {
  await chrome.storage.session.remove(prefix + key);
}

let lastChange: Promise<void> = Promise.resolve();

/** Changes an address that is still there. Changes are made one after the other: each reads and writes the whole. */
export function updateAddress(key: string, change: Partial<SiteAddress>): Promise<void> {
  const made = lastChange.then(async () => {
    const address = await findAddress(key);
    if (address) await keep({ ...address, ...change });
  });
  lastChange = made.catch((error: unknown) => {
    console.warn(String(error));
  });
  return made;
}

async function keep(address: SiteAddress): Promise<void> {
  await chrome.storage.session.set({ [prefix + address.key]: address });
}

const making = new Map<string, Promise<SiteAddress>>();

/**
 * Returns the site's address, made now unless there is one from before; two clicks at once make one.
 * @throws MayflyError, MayflyUnreachable
 */
export async function takeAddress(key: string, site: string): Promise<SiteAddress> {
  const known = await findAddress(key);
  if (known && (await isOpen(known))) return known;
  const underway = making.get(key) ?? makeAddress(key, site);
  making.set(key, underway);
  try {
    return await underway;
  } finally {
    making.delete(key);
  }
}

/** @throws MayflyError, MayflyUnreachable */
async function isOpen(address: SiteAddress): Promise<boolean> {
  if (address.expiresAt > Date.now()) return true;
  try {
    await openInbox(address);
    return true;
  } catch (error) {
    if (!isOver(error)) throw error;
    await forgetAddress(address.key);
    return false;
  }
}

async function makeAddress(key: string, site: string): Promise<SiteAddress> {
  const settings = await readSettings();
  const { service, lifetime } = settings;
  const mayfly = connect(settings);
  const inbox = await createInbox(mayfly, { site, ...(lifetime > 0 ? { lifetime } : {}) });
  const { email, token, expiresAt } = inbox;
  const address = { key, site, service, email, token, expiresAt: expiresAt.getTime(), after: 0, find: null };
  // It is on its way when the page learns the address, which need not wait for it.
  void keep(address);
  return address;
}

async function createInbox(
  mayfly: Mayfly,
  { site, lifetime }: { site: string; lifetime?: number },
): Promise<Inbox> {
  const asked = lifetime === undefined ? {} : { lifetime };
  let isGmail = false;
  for (let attempt = 1; ; attempt += 1) {
    const gmail = isGmail ? { gmail: 'plus' as const } : {};
    try {
      return await mayfly.createInbox({ ...asked, ...gmail, prefix: makePrefix(site) });
    } catch (error) {
      if (!(error instanceof MayflyError)) throw error;
      // A service that has Gmail accounts and no domain.
      if (error.code === 'no_domain_available' && !isGmail) isGmail = true;
      else if (error.parameter === 'lifetime') {
        return mayfly.createInbox({ ...gmail, prefix: makePrefix(site) });
      } else if (error.code === 'reserved_prefix' || error.code === 'invalid_prefix') {
        return mayfly.createInbox(asked);
      } else if (error.code !== 'address_taken' || attempt === attempts) throw error;
    }
  }
}

/** Returns a client of the chosen service. */
export function connect({ service, apiKey }: Settings): Mayfly {
  return new Mayfly({ url: service, ...(apiKey === '' ? {} : { apiKey }), patience });
}

/** @throws MayflyError when it has ended */
export async function openInbox({ service, token }: SiteAddress, given = patience): Promise<Inbox> {
  return new Mayfly({ url: service, patience: given }).reopen(token);
}

/** Ends the address at the service too. */
export async function endAddress(address: SiteAddress): Promise<void> {
  const inbox = await openInbox(address).catch((error: unknown) => {
    if (isOver(error)) return undefined;
    throw error;
  });
  await inbox?.end();
  await forgetAddress(address.key);
}

/** Reports whether the address no longer exists. */
export function isOver(error: unknown): boolean {
  return error instanceof MayflyError && (error.status === 410 || error.code === 'unknown_token');
}

export function toOffer(find: Find | null): Offer | null {
  if (find === null) return null;
  const { id, code, link, foreignSender } = find;
  return { id, code, link, foreignSender };
}
