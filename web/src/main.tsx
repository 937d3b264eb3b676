// The entry point. The first address is requested before anything else happens.
import { render } from 'preact';

import { registerServiceWorker } from './app/register-service-worker.ts';
import { logFault } from './app/report-fault.ts';
import { startRest, startSession } from './app/start.ts';
import { startLanguage } from './i18n/translate.ts';
import './style.ts';
import { AppView, prepareViews } from './views/app-view.tsx';
import { prepareRail } from './views/rail/rail.tsx';

async function start(): Promise<void> {
  const loaded = startSession();
  await Promise.all([startLanguage(), waitForStyle(), prepareRail()]);
  const root = document.querySelector('#app');
  if (!root) throw new Error('The page has no place for the app.');
  // first-request.ts has shown the address, so it is here in a moment: nothing else is shown in its place.
  if (root.firstChild) await loaded.first;
  startRest(loaded);
  render(<AppView />, root);
  // The offer of the page's plain form.
  root.nextElementSibling?.remove();
  prepareViews();
  registerServiceWorker();
}

/** Asked for together with this script, so that it does not hold back the first address. */
async function waitForStyle(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]');
  if (!link || link.sheet) return;
  await new Promise((done) => {
    link.addEventListener('load', done);
    link.addEventListener('error', done);
  });
}

start().catch(logFault);
