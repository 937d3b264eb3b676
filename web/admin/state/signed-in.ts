// The sign-in of this tab, in the tab's own storage: it goes when the tab does, and no other tab has it. The service
// gives a token for a key or a passkey; the key itself is kept nowhere.

import { signal } from '@preact/signals';

import { freshMs } from '../../../packages/passkeys/src/passkey.ts';

const storageKey = 'mayfly-sign-in';

interface SignIn {
  readonly token: string;
  /** The name of the administrator's key. */
  readonly key: string;
}

interface KeptSignIn extends SignIn {
  /** By the clock of this machine, ms since 1970. */
  readonly at: number;
}

const kept = signal(read());
/** Why one has to sign in again, in the service's words; empty where there is no reason. */
export const signInProblem = signal('');

export function isSignedIn(): boolean {
  return kept.value !== undefined;
}

export function readToken(): string {
  return kept.value?.token ?? '';
}

/** The administrator, by the name of the key. */
export function readName(): string {
  return kept.value?.key ?? '';
}

export function isFresh(): boolean {
  return kept.value !== undefined && Date.now() - kept.value.at < freshMs;
}

/** Takes the code of a one-time link out of the address bar, so that neither history nor a bookmark has it. */
export function takeLinkCode(): string | undefined {
  const code = /^#link=([A-Za-z0-9_-]{20,100})$/.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(null, '', location.pathname);
  return code;
}

export function keepSignIn({ token, key }: SignIn): void {
  const made = { token, key, at: Date.now() };
  sessionStorage.setItem(storageKey, JSON.stringify(made));
  signInProblem.value = '';
  kept.value = made;
}

export function forgetSignIn(problem = ''): void {
  sessionStorage.removeItem(storageKey);
  signInProblem.value = problem;
  kept.value = undefined;
}

function read(): KeptSignIn | undefined {
  const text = sessionStorage.getItem(storageKey);
  return text === null ? undefined : (JSON.parse(text) as KeptSignIn);
}
