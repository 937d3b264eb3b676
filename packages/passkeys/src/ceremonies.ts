// Registering a passkey and signing in with one (WebAuthn Level 3). Loads @simplewebauthn/server, which is large, so this
// file is imported when one is first needed.

import { createHash, createHmac, randomBytes } from 'node:crypto';

import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';

import type { Party } from './page-origin.ts';
import type { NewPasskey, PasskeyStore, StoredPasskey } from './passkey.ts';
import { readResponse, type Response } from './read-response.ts';
import { openText, signText } from './signed-text.ts';

export interface CeremonyDeps {
  readonly store: PasskeyStore;
  /** 32 bytes that only this service has, the same on every node. */
  readonly secret: Uint8Array;
  /** The store's clock. */
  readonly now: () => number;
}

export interface Administrator {
  readonly keyId: number;
  readonly name: string;
}

/** For the page: `options` of the browser's call, and `ceremony`, which it gives back with the browser's answer. */
export interface Beginning {
  readonly ceremony: string;
  readonly options: object;
}

/** Untrusted. */
export interface Ending {
  readonly ceremony: string;
  /** JSON of the browser's answer. */
  readonly response: string;
}

/** `copied`: the signature is right, but an authenticator with the same key has made later ones. */
export type RefusalKind = 'refused' | 'copied';

/** The message may be shown, and quotes nothing that was given. */
export class PasskeyRefusal extends Error {
  override readonly name = 'PasskeyRefusal';
  readonly kind: RefusalKind;
  /** The one whose signature was right. */
  readonly passkey: StoredPasskey | undefined;

  constructor(message: string, kind: RefusalKind = 'refused', passkey?: StoredPasskey) {
    super(message);
    this.kind = kind;
    this.passkey = passkey;
  }
}

const ceremonyMs = 5 * 60_000;
const challengeBytes = 32;
/** EdDSA, ES256, RS256: what authenticators make. */
const algorithms = [-8, -7, -257];
const publicKeyMaxBytes = 2048;
const credentialIdMaxBytes = 1023;
const transportsKnown = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

const addUse = 'add passkey';
const signInUse = 'sign in';

interface Ceremony {
  readonly challenge: string;
}

interface Adding extends Ceremony {
  readonly keyId: number;
  /** The sign-in that began it. */
  readonly by: string;
}

/** `by`: the sign-in of the administrator, which alone can end it. */
export async function beginAdding(
  deps: CeremonyDeps,
  party: Party,
  { keyId, name }: Administrator,
  by: string,
): Promise<Beginning> {
  const challenge = randomBytes(challengeBytes);
  const known = await deps.store.listPasskeys();
  const options = await generateRegistrationOptions({
    rpName: 'Mayfly',
    rpID: party.id,
    userName: name,
    userDisplayName: name,
    userID: new Uint8Array(handleOf(deps.secret, keyId)),
    challenge: new Uint8Array(challenge),
    timeout: ceremonyMs,
    attestationType: 'none',
    excludeCredentials: known.filter((one) => one.keyId === keyId).map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  });
  const content: Adding = { challenge: challenge.toString('base64url'), keyId, by: shortHash(by) };
  return { ceremony: sign(deps, addUse, content), options };
}

/** @throws PasskeyRefusal */
export async function endAdding(
  deps: CeremonyDeps,
  party: Party,
  { keyId, by }: { readonly keyId: number; readonly by: string },
  { ceremony, response }: Ending,
): Promise<Omit<NewPasskey, 'name'>> {
  const { challenge, ...begun } = await spend<Adding>(deps, addUse, ceremony);
  if (begun.keyId !== keyId || begun.by !== shortHash(by)) throw new PasskeyRefusal(notHere);
  const given = readResponse(response, ['clientDataJSON', 'attestationObject']);
  if (!given || !hasNoCertificates(given)) throw new PasskeyRefusal(notReadable);
  const result = await verified(() =>
    verifyRegistrationResponse({
      response: given as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  );
  const credential = result?.registrationInfo?.credential;
  if (!credential) throw new PasskeyRefusal(notProved);
  const credentialId = Buffer.from(credential.id, 'base64url');
  const publicKey = Buffer.from(credential.publicKey);
  if (credentialId.length > credentialIdMaxBytes || publicKey.length > publicKeyMaxBytes) {
    throw new PasskeyRefusal(notReadable);
  }
  const { transports } = given;
  return { keyId, credentialId, publicKey, counter: credential.counter, transports: knownOf(transports) };
}

/** For anyone: the browser offers the passkeys that it has for the page. */
export async function beginSignIn(deps: CeremonyDeps, party: Party): Promise<Beginning> {
  const challenge = randomBytes(challengeBytes);
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: new Uint8Array(challenge),
    timeout: ceremonyMs,
    userVerification: 'required',
  });
  return { ceremony: sign(deps, signInUse, { challenge: challenge.toString('base64url') }), options };
}

/** Resolves with the passkey that signed in. @throws PasskeyRefusal */
export async function endSignIn(
  deps: CeremonyDeps,
  party: Party,
  { ceremony, response }: Ending,
): Promise<StoredPasskey> {
  const { challenge } = await spend<Ceremony>(deps, signInUse, ceremony);
  const given = readResponse(response, ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle']);
  if (!given) throw new PasskeyRefusal(notReadable);
  const passkey = await find(deps, given.id);
  if (!passkey) throw new PasskeyRefusal(notKnown);
  const handle = handleOf(deps.secret, passkey.keyId).toString('base64url');
  if (given.response.userHandle !== handle) throw new PasskeyRefusal(notProved);
  const result = await verified(() =>
    verifyAuthenticationResponse({
      response: given as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      // The store compares the counter, in the statement that replaces it.
      credential: { id: given.id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
    }),
  );
  if (result?.verified !== true) throw new PasskeyRefusal(notProved);
  if (await deps.store.usePasskey(passkey.id, result.authenticationInfo.newCounter)) return passkey;
  const isThere = await find(deps, given.id);
  throw isThere ? new PasskeyRefusal(copied, 'copied', passkey) : new PasskeyRefusal(notKnown);
}

const notHere =
  'The request is not from this tab, or was used before, or its five minutes are over; try again.';
const notReadable = 'The browser’s answer is not one that passkeys have.';
const notProved = 'The passkey did not prove itself for this page.';
const notKnown = 'The passkey is not known here, or was removed.';
const copied =
  'The passkey’s counter went back, as if it had been copied. It is refused; sign in with a key and remove it.';

async function find({ store }: CeremonyDeps, id: string): Promise<StoredPasskey | undefined> {
  const wanted = Buffer.from(id, 'base64url');
  return (await store.listPasskeys()).find(({ credentialId }) => wanted.equals(credentialId));
}

function sign({ secret, now }: CeremonyDeps, use: string, content: Ceremony): string {
  return signText(secret, use, content, now() + ceremonyMs);
}

/** Resolves once no one can use the ceremony again, whatever comes of it. @throws PasskeyRefusal */
async function spend<C extends Ceremony>(
  { store, secret, now }: CeremonyDeps,
  use: string,
  text: string,
): Promise<C> {
  const begun = openText<C>({ secret, use, now: now() }, text);
  if (!begun) throw new PasskeyRefusal(notHere);
  const hash = createHash('sha256').update(begun.challenge).digest();
  if (!(await store.spendChallenge(hash, ceremonyMs))) throw new PasskeyRefusal(notHere);
  return begun;
}

/** The library's errors quote what was given. Resolves with undefined for them: it has no others. */
async function verified<R>(verify: () => Promise<R>): Promise<R | undefined> {
  return verify().catch((error: unknown) => {
    if (error instanceof Error) return undefined;
    throw error;
  });
}

/**
 * Whether the credential vouches only for itself, as browsers see to where none is asked for: the library would fetch
 * lists of revoked certificates from wherever a given certificate says.
 */
function hasNoCertificates({ response: { attestationObject = '' } }: Response): boolean {
  try {
    const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
    const format = decoded.get('fmt');
    return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

function knownOf(transports: readonly string[]): string[] {
  return transportsKnown.filter((one) => transports.includes(one));
}

function toDescriptor({ credentialId, transports }: StoredPasskey): {
  readonly id: string;
  readonly transports: AuthenticatorTransport[];
} {
  const id = Buffer.from(credentialId).toString('base64url');
  return { id, transports: [...transports] as AuthenticatorTransport[] };
}

/** Names the administrator to authenticators, and tells them nothing. */
function handleOf(secret: Uint8Array, keyId: number): Buffer {
  return createHmac('sha256', secret).update(`user ${keyId}`).digest();
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
