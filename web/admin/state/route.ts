// Which part of the page is shown: `#/domains` in the address bar, so that Back, a reload and a bookmark lead to it.

import { signal } from '@preact/signals';

export const places = [
  'overview',
  'domains',
  'sessions',
  'deliveries',
  'refusals',
  'statistics',
  'keys',
  'passkeys',
  'blocks',
  'gmail',
  'webhooks',
  'settings',
  'audit',
  'log',
] as const;

export type Place = (typeof places)[number];

export const place = signal<Place>(readPlace());

window.addEventListener('hashchange', () => {
  place.value = readPlace();
});

function readPlace(): Place {
  const name = location.hash.slice(2);
  return places.find((one) => one === name) ?? 'overview';
}
