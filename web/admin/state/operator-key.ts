// The admin key, kept in the tab's own storage: it goes when the tab does, and no other tab has it.

import { signal } from '@preact/signals';

const storageKey = 'mayfly-admin-key';

export const hasKey = signal(sessionStorage.getItem(storageKey) !== null);
/** Why one has to sign in again, in the service's words; empty where there is no reason. */
export const signInProblem = signal('');

export function readKey(): string {
  return sessionStorage.getItem(storageKey) ?? '';
}

/** The page is shown once `hasKey` is set. */
export function tryKey(key: string): void {
  sessionStorage.setItem(storageKey, key);
  signInProblem.value = '';
}

/** Takes the code of a one-time link out of the address bar, so that neither history nor a bookmark has it. */
export function takeLinkCode(): string | undefined {
  const code = /^#link=([A-Za-z0-9_-]{20,100})$/.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(null, '', location.pathname);
  return code;
}

export function acceptKey(): void {
  hasKey.value = true;
}

export function forgetKey(problem = ''): void {
  sessionStorage.removeItem(storageKey);
  signInProblem.value = problem;
  hasKey.value = false;
}
