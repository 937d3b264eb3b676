// The person's choices. Kept in storage.local, which only the extension's own pages and worker read.
import { isLoopback } from './site.ts';
import { text } from './texts.ts';

/** `click`: only in a tab where the person presses the button. `sites`: on those they named. `every`: everywhere. */
export type Places = 'click' | 'sites' | 'every';

export interface Settings {
  /** URL of the service with its base path, without a slash at the end; empty until the person has named one. */
  readonly service: string;
  readonly apiKey: string;
  /** Seconds; 0 for the service's usual lifetime. */
  readonly lifetime: number;
  readonly places: Places;
}

const name = 'settings';

/** Disks fill up, and may lose a part of what they keep: a value of another kind counts as not chosen. */
export async function readSettings(): Promise<Settings> {
  const { [name]: kept } = await inStorage(chrome.storage.local.get(name));
  const { service, apiKey, lifetime, places } = (kept ?? {}) as Readonly<Record<string, unknown>>;
  return {
    service: (typeof service === 'string' ? toServiceUrl(service) : undefined) ?? '',
    apiKey: typeof apiKey === 'string' ? apiKey : '',
    lifetime: typeof lifetime === 'number' ? lifetime : 0,
    places: places === 'sites' || places === 'every' ? places : 'click',
  };
}

export async function writeSettings(settings: Settings): Promise<void> {
  await inStorage(chrome.storage.local.set({ [name]: settings }));
}

/** @throws Error that says for the person that storage is full or blocked */
export async function inStorage<Result>(done: Promise<Result>): Promise<Result> {
  try {
    return await done;
  } catch (error) {
    console.warn(String(error));
    throw new Error(text('errorStorage'), { cause: error });
  }
}

/**
 * Returns the service's URL as it is kept, or undefined if it is none: https, or http on this machine, since a token
 * and codes go there.
 */
export function toServiceUrl(text: string): string | undefined {
  const typed = text.trim();
  const url = /^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`;
  if (/\s|^$/.test(typed) || !URL.canParse(url)) return undefined;
  const { protocol, hostname, origin, pathname, username, password } = new URL(url);
  if (username !== '' || password !== '') return undefined;
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) return undefined;
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

/** Returns the match pattern of an origin. Firefox knows none with a port. */
export function patternOf(url: string): string {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}/*`;
}

export const everywhere = ['https://*/*', 'http://*/*'];
