// How administrators sign in to the operator's page: by an admin key or a passkey, for a token that the tab sends from
// then on. A passkey stands beside a key: it gives what the key would, and ends with it. Loaded when one is first needed.

import {
  beginAdding,
  beginSignIn,
  type Beginning,
  type CeremonyDeps,
  endAdding,
  endSignIn,
  type Ending,
  PasskeyRefusal,
} from '#passkeys/ceremonies';
import { type Party, toParty } from '#passkeys/page-origin';
import { freshMs, type StoredPasskey } from '#passkeys/passkey';
import { type MadeSignIn, makeSignIn, readSignIn } from '#passkeys/sign-in';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Keyring, SignedIn } from './keyring.ts';
import { OperatorError } from './operator-error.ts';

export interface SignInsDeps extends CeremonyDeps {
  readonly keyring: Keyring;
}

/** A sign-in, as the page gets it. */
export interface Admitted extends MadeSignIn {
  readonly keyName: string;
  /** Undefined for a key. */
  readonly passkeyName: string | undefined;
  readonly scopes: ReadonlySet<string>;
}

/** A request with the token of a sign-in. */
export interface TokenHolder extends SignedIn {
  readonly token: string;
  /** ms since 1970. */
  readonly signedInAt: number;
  readonly endsAt: number;
}

/** `origin`: that of the operator's page by the settings; undefined where there is none. */
export interface SignIns {
  /** Returns undefined unless the untrusted token is of a sign-in in force. Counts a use of its key. */
  use(token: string): TokenHolder | undefined;
  /** Returns why a token is refused. */
  whyNot(token: string): string;
  isInForce(holder: TokenHolder): boolean;
  /** Returns undefined for a text that is no admin key in force. */
  byKey(key: string): Admitted | undefined;
  /** @throws OperatorError */
  begin(origin: string | undefined): Promise<Beginning & { readonly origin: string }>;
  /** @throws OperatorError, MayflyError invalid_api_key, PasskeyCopied */
  byPasskey(origin: string | undefined, ending: Ending): Promise<Admitted>;
  /** @throws OperatorError */
  beginAdding(
    origin: string | undefined,
    holder: TokenHolder,
  ): Promise<Beginning & { readonly origin: string }>;
  /** @throws OperatorError */
  add(origin: string | undefined, holder: TokenHolder, ending: NamedEnding): Promise<string>;
}

export interface NamedEnding extends Ending {
  readonly name: string;
}

/** A sign-in that was proved, and refused. */
export class PasskeyCopied extends MayflyError {
  readonly passkey: StoredPasskey;

  constructor(message: string, passkey: StoredPasskey) {
    super('invalid_api_key', message);
    this.passkey = passkey;
  }
}

const passkeysMax = 20;

export function createSignIns(deps: SignInsDeps): SignIns {
  const { keyring, secret, now, store } = deps;
  const readToken = (token: string): ReturnType<typeof readSignIn> =>
    readSignIn({ secret, now: now() }, token);
  const admit = (signedIn: SignedIn): Admitted => ({
    keyName: signedIn.name,
    passkeyName: signedIn.passkeyName,
    scopes: signedIn.scopes,
    ...makeSignIn(secret, { keyId: signedIn.id, passkeyId: signedIn.passkeyId, at: now() }),
  });
  return {
    use(token) {
      const read = readToken(token);
      const held = read && keyring.useSignIn(read);
      return held && { ...held, token, signedInAt: read.at, endsAt: read.endsAt };
    },
    whyNot: (token) => explain(keyring, readToken(token)),
    isInForce: ({ id: keyId, passkeyId, endsAt }) =>
      endsAt > now() && keyring.isInForce({ keyId, passkeyId }),
    byKey(key) {
      const holder = keyring.use(key, 'admin');
      return holder && admit({ ...holder, passkeyId: null, passkeyName: undefined });
    },
    async begin(origin) {
      const party = requireParty(origin);
      return { ...(await beginSignIn(deps, party)), origin: party.origin };
    },
    async byPasskey(origin, ending) {
      const { id: passkeyId, keyId } = await refusing(endSignIn(deps, requireParty(origin), ending));
      // Another node may have added it.
      await keyring.reload();
      const signedIn = keyring.useSignIn({ keyId, passkeyId });
      if (!signedIn) throw new MayflyError('invalid_api_key', 'The passkey was removed.');
      return admit(signedIn);
    },
    async beginAdding(origin, holder) {
      const party = requireParty(origin);
      requireFresh(holder, now());
      const { id: keyId, name, token } = holder;
      return { ...(await beginAdding(deps, party, { keyId, name }, token)), origin: party.origin };
    },
    async add(origin, holder, ending) {
      const party = requireParty(origin);
      requireFresh(holder, now());
      const name = parseName(ending.name);
      const made = await refusing(
        endAdding(deps, party, { keyId: holder.id, by: holder.token }, ending),
        toRefusal,
      );
      await storeFor(holder, { ...made, name }, store);
      await keyring.reload();
      return name;
    },
  };
}

/** @throws OperatorError if the key has too many, or this one */
async function storeFor(
  { id, name }: TokenHolder,
  passkey: Parameters<SignInsDeps['store']['addPasskey']>[0],
  store: SignInsDeps['store'],
): Promise<void> {
  const own = (await store.listPasskeys()).filter(({ keyId }) => keyId === id);
  if (own.length >= passkeysMax) {
    throw new OperatorError(`${name} has ${passkeysMax} passkeys; remove one first.`);
  }
  if (await store.addPasskey(passkey)) return;
  throw new OperatorError(
    `${name} has a passkey of this name, or from this device, already; or was revoked.`,
  );
}

function explain(keyring: Keyring, read: ReturnType<typeof readSignIn>): string {
  if (!read) return 'Your sign-in has ended; sign in again.';
  const isKeyInForce = keyring.isInForce({ ...read, passkeyId: null });
  return isKeyInForce ? 'The passkey was removed.' : 'The admin key is wrong or revoked.';
}

/** @throws OperatorError */
function requireParty(origin: string | undefined): Party {
  const party = toParty(origin ?? '');
  if (party) return party;
  throw new OperatorError(
    'Passkeys need to know this page’s address: set MAYFLY_ADMIN_PUBLIC_URL to its https origin, such as ' +
      'https://ops.example.org.',
  );
}

/** @throws OperatorError */
function requireFresh({ signedInAt }: TokenHolder, now: number): void {
  if (now - signedInAt < freshMs) return;
  throw new OperatorError('Passkeys are added within ten minutes of signing in; sign in again.');
}

/** @throws OperatorError */
function parseName(text: string): string {
  const name = text.trim();
  if (/^[^\p{C}\p{Zl}\p{Zp}]{1,40}$/u.test(name)) return name;
  throw new OperatorError('A passkey’s name is 1 to 40 printable characters.');
}

async function refusing<T>(work: Promise<T>, toError = toWrong): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof PasskeyRefusal ? toError(error) : error;
  });
}

function toWrong({ message, passkey }: PasskeyRefusal): Error {
  return passkey ? new PasskeyCopied(message, passkey) : new MayflyError('invalid_api_key', message);
}

function toRefusal({ message }: PasskeyRefusal): Error {
  return new OperatorError(message);
}
