// Keeps the page itself in the browser, so that it opens without the service: its files, by build, and nothing else.
// What the interface answers never comes near it. Built as one file at a fixed address; the list of files is put in by
// scripts/build-web.mjs.

declare const self: ServiceWorkerGlobalScope;
/** Paths under the page's folder, and a hash of all of them. Put in by the build. */
declare const __PAGE_FILES__: readonly string[];
declare const __PAGE_HASH__: string;

const scope = new URL('./', self.location.href);
/** One origin may hold several services, each under its path. */
const prefix = `mayfly ${scope.pathname} `;
const cacheName = prefix + __PAGE_HASH__;
const addresses = new Set(__PAGE_FILES__.map((file) => new URL(file, scope).href));

self.addEventListener('install', (event) => {
  event.waitUntil(keepPage());
});

self.addEventListener('activate', (event) => {
  // An older page has no window left when a newer worker becomes active; its files are of no use.
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

interface Chosen {
  readonly email: string;
  readonly id: number;
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(showMessage(event.notification.data as Chosen));
});

/** In a window that is there, else in a new one, which shows the address last looked at. */
async function showMessage({ email, id }: Chosen): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window' });
  const page = windows.find(({ url }) => url.split('#')[0] === scope.href);
  if (!page) {
    await self.clients.openWindow(`${scope.href}#message-${id}`);
    return;
  }
  page.postMessage({ kind: 'open-message', email, id });
  await page.focus();
}

async function keepPage(): Promise<void> {
  const cache = await caches.open(cacheName);
  await Promise.all([cache.addAll([...addresses]), keepFrontPage(cache)]);
}

async function keepFrontPage(cache: Cache): Promise<void> {
  // Programs that do not ask for HTML get JSON at this address.
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

/** The service's own answer where there is one; the kept page where there is none, or a proxy says so. */
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

/** Files are named by what is in them, so a kept one is as good as any. */
async function answerFile(request: Request): Promise<Response> {
  return (await caches.match(request.url, { cacheName })) ?? fetch(request);
}

// A module, so that its `self` is its own.
export {};
