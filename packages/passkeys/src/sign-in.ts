// A sign-in to the page: what an administrator proved once, as a token that the tab sends with each request. It is stored
// nowhere; what ends it early is the end of the key or passkey that it names.

import { randomBytes } from 'node:crypto';

import { openText, signText } from './signed-text.ts';

export interface SignIn {
  readonly keyId: number;
  /** Null for one by the key itself. */
  readonly passkeyId: number | null;
  /** ms since 1970. */
  readonly at: number;
}

const signInMs = 12 * 60 * 60_000;

const prefix = 'mfo_';
const use = 'session';

export interface MadeSignIn {
  readonly token: string;
  /** ms since 1970. */
  readonly endsAt: number;
}

export function makeSignIn(secret: Uint8Array, signIn: SignIn): MadeSignIn {
  const endsAt = signIn.at + signInMs;
  // Two of the same instant differ, since what one of them begins only that one may end.
  const content = { ...signIn, nonce: randomBytes(6).toString('base64url') };
  return { token: `${prefix}${signText(secret, use, content, endsAt)}`, endsAt };
}

/** Whether an untrusted text looks like a token. */
export function isSignIn(text: string): boolean {
  return text.startsWith(prefix);
}

/** Returns undefined for a text that is no token, or whose time is over. */
export function readSignIn(
  { secret, now }: { readonly secret: Uint8Array; readonly now: number },
  text: string,
): (SignIn & { readonly endsAt: number }) | undefined {
  return isSignIn(text) ? openText<SignIn>({ secret, use, now }, text.slice(prefix.length)) : undefined;
}
