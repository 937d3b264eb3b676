// Finds the inbox of a command, and the client for its service. The token comes from MAYFLY_TOKEN or the file, never
// from the command line, which every user of the machine can read.

import { type Inbox, Mayfly, MayflyError } from 'mayfly-client';

import { InboxError, InboxUsageError } from './errors.ts';
import type { InboxFile, KnownInbox } from './inbox-file.ts';

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly file: InboxFile;
  /** Prints a line about waiting or a problem. */
  readonly say: (line: string) => void;
}

/** The inbox as named on the command line. */
export interface Wanted {
  readonly address?: string | undefined;
  readonly url?: string | undefined;
}

export interface FoundInbox {
  readonly inbox: Inbox;
  /** URL of its service, without a slash at the end. */
  readonly url: string;
}

const defaultUrl = 'http://127.0.0.1:8080';

/** Returns the URL of the service for new inboxes. @throws InboxUsageError */
export function chooseUrl({ environment }: Surroundings, given: string | undefined): string {
  return givenUrl(environment, given) ?? defaultUrl;
}

/** Returns undefined if neither the command line nor the environment names a service. @throws InboxUsageError */
export function givenUrl(
  environment: Surroundings['environment'],
  given: string | undefined,
): string | undefined {
  const text = given ?? environment['MAYFLY_URL'];
  if (text === undefined || text === '') return undefined;
  const name = given === undefined ? 'MAYFLY_URL' : '--url';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new InboxUsageError(`${name} must be the http or https address of a service, without a user name.`);
  }
  if (url.search !== '' || url.hash !== '') {
    throw new InboxUsageError(`${name} must be an address without ? and #.`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

export function createClient({ environment, say }: Surroundings, url: string): Mayfly {
  const apiKey = environment['MAYFLY_API_KEY'] ?? '';
  return new Mayfly({ url, fetch: reportOutage(url, say), ...(apiKey === '' ? {} : { apiKey }) });
}

/** Reports an outage once, since the client retries silently for half a minute or as long as it waits. */
function reportOutage(url: string, say: (line: string) => void): typeof fetch {
  let isReported = false;
  return async (...request) => {
    try {
      const response = await fetch(...request);
      isReported = false;
      return response;
    } catch (error) {
      const isOutage = error instanceof TypeError;
      if (isOutage && !isReported) say(`No answer from ${url} yet; trying again.`);
      isReported ||= isOutage;
      throw error;
    }
  };
}

/** @throws InboxError, InboxUsageError; errors of the client */
export async function findInbox(around: Surroundings, { address, url: given }: Wanted): Promise<FoundInbox> {
  const token = around.environment['MAYFLY_TOKEN'] ?? '';
  if (token !== '') {
    const url = chooseUrl(around, given);
    const inbox = await createClient(around, url).reopen(token);
    if (address === undefined || isSame(inbox.email, address)) return { inbox, url };
  }
  const known = choose(await around.file.list(), address, givenUrl(around.environment, given));
  return { inbox: await reopen(around, known), url: known.url };
}

function choose(
  all: readonly KnownInbox[],
  address: string | undefined,
  url: string | undefined,
): KnownInbox {
  const there = url === undefined ? all : all.filter((known) => known.url === url);
  const where = url === undefined ? '' : ` at ${url}`;
  if (address !== undefined) {
    const found = there.filter(({ email }) => isSame(email, address)).at(-1);
    if (found) return found;
    throw new InboxError(`There is no inbox ${JSON.stringify(address)}${where} in \`mayfly inbox list\`.`);
  }
  const newest = there.at(-1);
  if (newest) return newest;
  throw new InboxError(`There is no inbox${where}: \`mayfly inbox new\` creates one.`);
}

/** Reopens an inbox, and removes it from the file if it has ended. */
async function reopen(around: Surroundings, known: KnownInbox): Promise<Inbox> {
  try {
    const inbox = await createClient(around, known.url).reopen(known.token);
    const expiresAt = inbox.expiresAt.toISOString();
    const isAsKnown = known.expires_at === expiresAt && known.email === inbox.email;
    if (!isAsKnown) await keep(around.file, { ...known, email: inbox.email, expires_at: expiresAt });
    return inbox;
  } catch (error) {
    if (!isOver(error)) throw error;
    await forget(around.file, known.token);
    throw new InboxError(`The inbox ${known.email} has ended; its mail is gone.`, { cause: error });
  }
}

/** Replaces the entry of the same inbox, or adds it as the newest. */
export function keep(file: InboxFile, inbox: KnownInbox): Promise<void> {
  return file.change((all) => {
    const isKnown = all.some(({ token }) => token === inbox.token);
    return isKnown ? all.map((one) => (one.token === inbox.token ? inbox : one)) : [...all, inbox];
  });
}

export function forget(file: InboxFile, token: string): Promise<void> {
  return file.change((all) => all.filter((one) => one.token !== token));
}

/** Reports whether the service answered that the inbox has ended or never existed. */
export function isOver(error: unknown): boolean {
  return error instanceof MayflyError && (error.status === 410 || error.code === 'unknown_token');
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
