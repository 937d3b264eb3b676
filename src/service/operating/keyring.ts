// The API keys in force, and the passkeys of administrators, in memory. Consulted for every request with a key, and
// reread from the store now and then, since another node may have changed them. A key is looked up by its SHA-256, so
// that timing reveals nothing. Uses are counted here and written once a minute.

import type { KeyKind, KeyScope } from '../../domain/api-key.ts';
import type { PasskeyStore, StoredPasskey } from '#passkeys/passkey';
import { hashApiKey, isSameHash } from '../../secrets/api-key.ts';
import type { KeyStore, KeyUses, StoredKey } from '../../store/key-store.ts';
import { writeRegularly } from '../records/regular-writer.ts';
import { createNewestRead } from './newest-read.ts';

export interface KeyHolder {
  readonly id: number;
  readonly name: string;
  readonly scopes: ReadonlySet<KeyScope>;
  /** Requests per minute; null for the default. */
  readonly ratePerMinute: number | null;
}

/** The administrator whose key it is, by the key itself or by a passkey. */
export interface SignedIn extends KeyHolder {
  /** Null for the key itself. */
  readonly passkeyId: number | null;
  readonly passkeyName: string | undefined;
}

export interface Means {
  readonly keyId: number;
  /** Null for the key itself. */
  readonly passkeyId: number | null;
}

export interface Keyring {
  /** Returns undefined unless `text`, which is untrusted, is a key of this kind in force. Counts a use. */
  use(text: string, kind: KeyKind): KeyHolder | undefined;
  /** Returns undefined unless the admin key, and the passkey if one is named, are in force. Counts a use. */
  useSignIn(means: Means): SignedIn | undefined;
  /** Whether they still are; counts no use. */
  isInForce(means: Means): boolean;
  /** Call after a change. */
  reload(): Promise<void>;
  /** Writes the counts. */
  close(): Promise<void>;
}

export interface KeyringOptions {
  readonly keys: KeyStore;
  readonly passkeys: Pick<PasskeyStore, 'listPasskeys'>;
  readonly onError: (error: unknown) => void;
  readonly clock: () => number;
}

interface InForce extends KeyHolder {
  readonly kind: KeyKind;
  readonly hash: Uint8Array;
}

const reloadMs = 10_000;
const flushMs = 60_000;

export async function createKeyring(options: KeyringOptions): Promise<Keyring> {
  const { keys, passkeys, onError } = options;
  let held = toHeld([], []);
  const uses = countUses(options);

  const reload = createNewestRead(
    () => Promise.all([keys.listKeys(), passkeys.listPasskeys()]),
    (listed) => {
      held = toHeld(...listed);
    },
  );

  await reload();
  const timer = setInterval(() => void reload().catch(onError), reloadMs).unref();
  return {
    use(text, kind) {
      const hash = hashApiKey(text, kind);
      const key = hash && held.byHash.get(hash.toString('base64'));
      if (!key || key.kind !== kind || !isSameHash(key.hash, hash)) return undefined;
      uses.countUse(key.id);
      return key;
    },
    useSignIn(means) {
      const signedIn = find(held, means);
      if (signedIn) uses.countUse(signedIn.id);
      return signedIn;
    },
    isInForce: (means) => find(held, means) !== undefined,
    reload,
    async close() {
      clearInterval(timer);
      await uses.close();
    },
  };
}

interface UseCounts {
  readonly countUse: (id: number) => void;
  /** Writes the counts. */
  readonly close: () => Promise<void>;
}

function countUses({ keys, clock, onError }: KeyringOptions): UseCounts {
  const counted = new Map<number, KeyUses>();
  const writer = writeRegularly<KeyUses>({
    everyMs: flushMs,
    take() {
      const uses = [...counted.values()];
      counted.clear();
      return uses;
    },
    keyOf: ({ id }) => id,
    join: (earlier, later) => ({ ...later, uses: earlier.uses + later.uses }),
    write: (uses) => keys.addUses(uses),
    onError,
  });
  return {
    countUse(id) {
      counted.set(id, { id, uses: (counted.get(id)?.uses ?? 0) + 1, lastUsedAt: clock() });
    },
    close: () => writer.close(),
  };
}

interface Held {
  readonly byHash: ReadonlyMap<string, InForce>;
  readonly byId: ReadonlyMap<number, InForce>;
  readonly passkeys: ReadonlyMap<number, StoredPasskey>;
}

function toHeld(stored: readonly StoredKey[], passkeys: readonly StoredPasskey[]): Held {
  const inForce = stored
    .filter(({ revokedAt }) => revokedAt === null)
    .map(({ id, name, kind, hash, scopes, ratePerMinute }): InForce => {
      return { id, name, kind, hash, scopes: new Set(scopes), ratePerMinute };
    });
  return {
    byHash: new Map(inForce.map((key) => [Buffer.from(key.hash).toString('base64'), key])),
    byId: new Map(inForce.map((key) => [key.id, key])),
    passkeys: new Map(passkeys.map((passkey) => [passkey.id, passkey])),
  };
}

function find({ byId, passkeys }: Held, { keyId, passkeyId }: Means): SignedIn | undefined {
  const key = byId.get(keyId);
  if (key?.kind !== 'admin') return undefined;
  if (passkeyId === null) return { ...key, passkeyId, passkeyName: undefined };
  const passkey = passkeys.get(passkeyId);
  return passkey?.keyId === keyId ? { ...key, passkeyId, passkeyName: passkey.name } : undefined;
}
