// Operations on API keys for operators, by the CLI and the admin interface. The key itself is shown once, when it is
// created.

import type { PasskeyStore, StoredPasskey } from '#passkeys/passkey';
import { type KeyKind, type KeyScope, scopesOfKind } from '../../domain/api-key.ts';
import { createApiKey, hashApiKey } from '../../secrets/api-key.ts';
import type { KeyStore, StoredKey } from '../../store/key-store.ts';
import { OperatorError } from './operator-error.ts';

export interface ManageKeysDeps {
  readonly keys: KeyStore;
  readonly passkeys: Pick<PasskeyStore, 'listPasskeys' | 'removePasskey' | 'removePasskeysOf'>;
  /** Called when the keys in force have changed. */
  readonly onKeysChanged: () => Promise<void>;
}

export type AddKeyDeps = Pick<ManageKeysDeps, 'keys' | 'onKeysChanged'>;

/** Untrusted; checked here. */
export interface AddKeyRequest {
  readonly name: string;
  readonly kind: KeyKind;
  /** Empty for all of the kind. */
  readonly scopes: readonly string[];
  /** Requests per minute. */
  readonly ratePerMinute?: number | undefined;
}

/** A new key, with the secret that is shown once. */
export interface MadeKey {
  readonly stored: StoredKey;
  readonly key: string;
}

const keysMax = 10_000;

/** @throws OperatorError */
export async function addKey(deps: AddKeyDeps, request: AddKeyRequest): Promise<MadeKey> {
  const name = parseName(request.name);
  const { kind, ratePerMinute = null } = request;
  const scopes = parseScopes(kind, request.scopes);
  if (kind === 'admin' && ratePerMinute !== null) {
    throw new OperatorError('Admin keys have no rate of their own.');
  }
  if ((await deps.keys.listKeys()).length >= keysMax) {
    throw new OperatorError(`There are ${keysMax} keys, revoked ones included: no more are kept.`);
  }
  const key = createApiKey(kind);
  const hash = hashApiKey(key, kind);
  if (!hash) throw new Error('A new key has the wrong form.');
  const stored = await deps.keys.addKey({ name, kind, scopes, hash, ratePerMinute });
  if (stored === 'taken') {
    throw new OperatorError(`There is a key ${name} already; revoke it or choose another name.`);
  }
  await deps.onKeysChanged();
  return { stored, key };
}

/** @throws OperatorError */
export async function revokeKey(deps: ManageKeysDeps, text: string): Promise<StoredKey> {
  const name = parseName(text);
  const revoked = await deps.keys.revokeKey(name);
  if (!revoked) throw new OperatorError(`There is no key ${name} in force.`);
  // They are not in force without it; here they are forgotten.
  await deps.passkeys.removePasskeysOf(revoked.id);
  await deps.onKeysChanged();
  return revoked;
}

/** Ends its sign-ins too. @throws OperatorError */
export async function removePasskey(
  deps: Pick<ManageKeysDeps, 'passkeys' | 'onKeysChanged'>,
  text: string,
): Promise<StoredPasskey> {
  const passkey = (await deps.passkeys.listPasskeys()).find(({ id }) => String(id) === text.trim());
  if (!passkey || !(await deps.passkeys.removePasskey(passkey.id))) {
    throw new OperatorError('There is no passkey with this id.');
  }
  await deps.onKeysChanged();
  return passkey;
}

function parseName(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(text)) return text;
  throw new OperatorError('A key’s name is 1 to 40 letters, digits, dots, hyphens and underscores.');
}

function parseScopes(kind: KeyKind, given: readonly string[]): readonly KeyScope[] {
  const known = scopesOfKind(kind);
  const wrong = given.find((scope) => !known.some((one) => one === scope));
  if (wrong === undefined) return given.length === 0 ? known : known.filter((scope) => given.includes(scope));
  const what = kind === 'admin' ? 'an admin key' : 'a key';
  throw new OperatorError(
    `${JSON.stringify(wrong.slice(0, 40))} is no scope of ${what}: ${known.join(', ')}.`,
  );
}
