// Signing in, by a key or a passkey, and adding a passkey: the browser's part of each, and its refusals in words.

import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';

import { keepSignIn } from '../state/signed-in.ts';
import { text } from '../texts/text.ts';
import type { SignInAnswer } from './answers.ts';
import { carryOut, OperationError } from './call-operation.ts';

interface Beginning<O> {
  readonly ceremony: string;
  /** At which this page has passkeys. */
  readonly origin: string;
  readonly options: O;
}

/** @throws OperationError */
export async function signInWithKey(key: string): Promise<void> {
  keepSignIn(await carryOut<SignInAnswer>('sign-in', { key }));
}

/** @throws OperationError */
export async function signInWithPasskey(): Promise<void> {
  const { ceremony, options } = await begin<PublicKeyCredentialRequestOptionsJSON>('begin-passkey-sign-in');
  const response = await ofBrowser(() => startAuthentication({ optionsJSON: options }));
  keepSignIn(
    await carryOut<SignInAnswer>('passkey-sign-in', { ceremony, response: JSON.stringify(response) }),
  );
}

/** @throws OperationError */
export async function addPasskey(name: string): Promise<void> {
  const { ceremony, options } = await begin<PublicKeyCredentialCreationOptionsJSON>('begin-passkey');
  const response = await ofBrowser(() => startRegistration({ optionsJSON: options }));
  await carryOut('add-passkey', { name, ceremony, response: JSON.stringify(response) });
}

/** @throws OperationError */
async function begin<O>(path: string): Promise<Beginning<O>> {
  if (!isSecureContext) throw refusal(text('passkeys.insecure'));
  if (!browserSupportsWebAuthn()) throw refusal(text('passkeys.unsupported'));
  const begun = await carryOut<Beginning<O>>(path);
  if (begun.origin === location.origin) return begun;
  throw refusal(text('passkeys.elsewhere', { url: `${begun.origin}/admin` }));
}

/** @throws OperationError */
async function ofBrowser<A>(ask: () => Promise<A>): Promise<A> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isKnown = error instanceof WebAuthnError && error.name === 'InvalidStateError';
    throw refusal(text(isKnown ? 'passkeys.sameDevice' : 'passkeys.stopped'));
  }
}

function refusal(message: string): OperationError {
  return new OperationError(400, message);
}
