// Caches the page itself, so that it opens without the service: its files, by build, and nothing else. Answers of the
// interface are never cached. Built as one file at a fixed address; scripts/build-web.mjs inserts the list of files.

import { chooseWords } from './push-words.ts';

declare const self: ServiceWorkerGlobalScope;
/** Paths under the page's folder, and a hash of all of them, both inserted by the build. */
declare const __PAGE_FILES__: readonly string[];
declare const __PAGE_HASH__: string;

const scope = new URL('./', self.location.href);
/** One origin may have several services, each under its own path. */
const prefix = `mayfly ${scope.pathname} `;
const cacheName = prefix + __PAGE_HASH__;
const addresses = new Set(__PAGE_FILES__.map((file) => new URL(file, scope).href));

self.addEventListener('install', (event) => {
  event.waitUntil(keepPage());
});

self.addEventListener('activate', (event) => {
  // When a newer worker becomes active, the older page has no window left and its files are useless.
  event.waitUntil(Promise.all([forgetOlderPages(), self.clients.claim()]));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate') {
    const url = new URL(request.url);
    if (url.origin + url.pathname === scope.href) event.respondWith(answerNavigation(request));
  } else if (addresses.has(request.url)) {
    event.respondWith(answerFile(request));
  }
});

self.addEventListener('push', (event) => {
  event.waitUntil(notifyOfMail(event.data));
});

interface News {
  /** Opaque id, which the page maps to an address. */
  readonly subscription: string;
  readonly message: number;
}

/** Parses the service's message, which says no more than that there is mail; undefined for anything else. */
function readNews(data: PushMessageData | null): News | undefined {
  let value: unknown;
  try {
    value = data?.json();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const { subscription, message } = { ...(value as object) } as Record<string, unknown>;
  const isNews = typeof subscription === 'string' && /^[\w-]{22}$/.test(subscription);
  return isNews && Number.isSafeInteger(message) ? { subscription, message: message as number } : undefined;
}

async function notifyOfMail(data: PushMessageData | null): Promise<void> {
  const news = readNews(data);
  if (!news) return;
  const pages = await self.clients.matchAll({ type: 'window' });
  // A visible page shows the mail itself.
  if (pages.some(({ visibilityState, focused }) => visibilityState === 'visible' && focused)) return;
  const tag = `${news.subscription} ${news.message}`;
  // The page in the background has already shown a fuller notification.
  if ((await self.registration.getNotifications({ tag })).length > 0) return;
  await self.registration.showNotification(chooseWords(self.navigator.languages), {
    tag,
    data: { subscription: news.subscription, id: news.message },
    icon: new URL('icon.svg', scope).href,
  });
}

type Chosen = { readonly id: number } & ({ readonly email: string } | { readonly subscription: string });

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(showMessage(event.notification.data as Chosen, event.action === 'copy'));
});

/** Uses an open window, else a new one, which shows the address named by the push message or else the last one. */
async function showMessage(chosen: Chosen, copies: boolean): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window' });
  const page = windows.find(({ url }) => url.split('#')[0] === scope.href);
  if (!page) {
    const place = 'email' in chosen ? `message-${chosen.id}` : `mail-${chosen.subscription}-${chosen.id}`;
    await self.clients.openWindow(`${scope.href}#${place}`);
    return;
  }
  try {
    // Only a page that has the focus may copy.
    await page.focus();
  } catch (error) {
    // The browser does not let it come to the front: it shows the message all the same.
    if (!(error instanceof DOMException)) throw error;
  }
  page.postMessage({ kind: 'open-message', copies, ...chosen });
}

async function keepPage(): Promise<void> {
  const cache = await caches.open(cacheName);
  await Promise.all([cache.addAll([...addresses]), keepFrontPage(cache)]);
}

async function keepFrontPage(cache: Cache): Promise<void> {
  // Without an accept header for HTML, this address answers with JSON.
  const response = await fetch(scope, { headers: { accept: 'text/html' }, cache: 'no-cache' });
  const isPage = response.ok && (response.headers.get('content-type') ?? '').startsWith('text/html');
  if (!isPage) throw new Error(`The page answers ${response.status}`);
  await cache.put(scope, response);
}

async function forgetOlderPages(): Promise<void> {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith(prefix) && name !== cacheName);
  await Promise.all(older.map((name) => caches.delete(name)));
}

/** Returns the service's own answer; the cached page if there is none or a proxy reports the service down. */
async function answerNavigation(request: Request): Promise<Response> {
  const kept = (): Promise<Response | undefined> => caches.match(scope.href, { cacheName });
  try {
    const response = await fetch(request);
    return response.status < 500 ? response : ((await kept()) ?? response);
  } catch (error) {
    const page = await kept();
    if (page) return page;
    throw error;
  }
}

/** File names contain a hash of the content, so a cached file is always current. */
async function answerFile(request: Request): Promise<Response> {
  return (await caches.match(request.url, { cacheName })) ?? fetch(request);
}
