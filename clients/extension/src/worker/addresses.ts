// The addresses that were made, one for each site. In storage.session: in memory, until the browser ends, and out of
// reach of pages and content scripts.
import { type Inbox, Mayfly, MayflyError } from 'mayfly-client';

import type { Offer } from '../shared/messages.ts';
import { inStorage, readSettings, type Settings } from '../shared/settings.ts';
import { makePrefix } from '../shared/site.ts';

export interface SiteAddress {
  /** As `keyOf` has it; followed by the address itself where a newer one has taken its place. */
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

/** As this worker has seen them: right where storage is full or blocked, or was emptied meanwhile. */
const known = new Map<string, SiteAddress>();

export async function findAddress(key: string): Promise<SiteAddress | undefined> {
  const [stored] = known.has(key) ? [] : await readStored(prefix + key);
  const address = known.get(key) ?? stored;
  if (address === undefined) return undefined;
  if (hasEnded(address)) {
    await forgetAddress(key);
    return undefined;
  }
  known.set(key, address);
  return address;
}

/** Returns those that have not ended. */
export async function listAddresses(): Promise<readonly SiteAddress[]> {
  const all = [...(await readStored(null)), ...known.values()].map(
    (address) => [address.key, address] as const,
  );
  return [...new Map(all).values()].filter((address) => !hasEnded(address));
}

async function readStored(name: string | null): Promise<readonly SiteAddress[]> {
  try {
    const kept: Record<string, unknown> = await chrome.storage.session.get(name);
    return Object.entries(kept).flatMap(([from, value]) =>
      from.startsWith(prefix) && isAddress(value) ? [value] : [],
    );
  } catch (error) {
    console.warn(String(error));
    return [];
  }
}

function isAddress(value: unknown): value is SiteAddress {
  const { key, site, service, email, token, expiresAt, after, find } = (value ?? {}) as Partial<SiteAddress>;
  const isText = [key, site, service, email, token].every((part) => typeof part === 'string');
  const isCounted = typeof expiresAt === 'number' && typeof after === 'number';
  return isText && isCounted && (find === null || typeof find?.id === 'number');
}

export async function forgetAddress(key: string): Promise<void> {
  known.delete(key);
  await inStorage(chrome.storage.session.remove(prefix + key));
}

function warn(error: unknown): void {
  console.warn(String(error));
}

let lastChange: Promise<void> = Promise.resolve();

/** Changes are made one after the other: each reads and writes the whole. */
function inTurn(change: () => Promise<void>): Promise<void> {
  const made = lastChange.then(change);
  lastChange = made.catch(warn);
  return made;
}

/**
 * Changes an address that was found, also for a page that looks next. Where that cannot be written, this worker has it
 * until the browser ends it.
 */
export async function updateAddress(
  { key, token }: SiteAddress,
  change: Partial<SiteAddress>,
): Promise<void> {
  const now = known.get(key);
  if (now?.token !== token) return;
  known.set(key, { ...now, ...change });
  await inTurn(async () => {
    const latest = known.get(key);
    if (latest) await keep(latest).catch(warn);
  });
}

async function keep(...addresses: readonly SiteAddress[]): Promise<void> {
  const named = addresses.map((address) => [prefix + address.key, address] as const);
  await inStorage(chrome.storage.session.set(Object.fromEntries(named)));
}

/** Gives another address the place of the site's: that one is put beside, with its mail. */
async function replace(address: SiteAddress): Promise<void> {
  const { key } = address;
  const before = await findAddress(key);
  const both = [...(before ? [{ ...before, key: `${key} ${before.email}`, find: null }] : []), address];
  await keep(...both);
  for (const one of both) known.set(one.key, one);
}

/** Makes an address that was put beside the site's own again. @returns the key of both */
export async function takeBack(beside: string): Promise<string | undefined> {
  const address = await findAddress(beside);
  if (!address) return undefined;
  const key = beside.slice(0, -address.email.length - 1);
  await inTurn(async () => {
    await replace({ ...address, key });
    await forgetAddress(beside);
  });
  return key;
}

// Others may empty it: what is still in use is written again.
chrome.storage.session.onChanged.addListener((changes) => {
  for (const [name, { newValue }] of Object.entries(changes)) {
    const address = known.get(name.slice(prefix.length));
    if (newValue === undefined && address) void keep(address).catch(warn);
  }
});

const making = new Map<string, Promise<SiteAddress>>();

/**
 * Returns the site's address, made now unless there is one from before, or another is asked for; two clicks at once
 * make one.
 * @throws MayflyError, MayflyUnreachable, Error when it cannot be kept
 */
export async function takeAddress(key: string, site: string, isAnother = false): Promise<SiteAddress> {
  const before = isAnother ? undefined : await findAddress(key);
  if (before && (await isOpen(before))) return before;
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
  try {
    await inTurn(() => replace(address));
  } catch (error) {
    // Its mail could not be found again: better none than one that is forgotten after it was filled in.
    await inbox.end();
    throw error;
  }
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
