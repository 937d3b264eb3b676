// The API keys in force, in memory. Consulted for every request with a key, and reread from the store now and then,
// since another node may have changed them. A key is looked up by its SHA-256, so that timing reveals nothing. Uses are
// counted here and written once a minute.

import type { KeyKind, KeyScope } from '../../domain/api-key.ts';
import { hashApiKey, isSameHash } from '../../secrets/api-key.ts';
import type { KeyStore, StoredKey } from '../../store/key-store.ts';
import { createNewestRead } from './newest-read.ts';

export interface KeyHolder {
  readonly id: number;
  readonly name: string;
  readonly scopes: ReadonlySet<KeyScope>;
  /** Requests per minute; null for the default. */
  readonly ratePerMinute: number | null;
}

export interface Keyring {
  /** Returns undefined unless `text`, which is untrusted, is a key of this kind in force. Counts a use. */
  use(text: string, kind: KeyKind): KeyHolder | undefined;
  /** Whether the key with this id still is; counts no use. */
  isInForce(id: number): boolean;
  /** Call after a change. */
  reload(): Promise<void>;
  /** Writes the counts. */
  close(): Promise<void>;
}

export interface KeyringOptions {
  readonly keys: KeyStore;
  readonly onError: (error: unknown) => void;
  readonly clock?: () => number;
}

interface InForce extends KeyHolder {
  readonly kind: KeyKind;
  readonly hash: Uint8Array;
}

const reloadMs = 10_000;
const flushMs = 60_000;

export async function createKeyring({ keys, onError, clock = Date.now }: KeyringOptions): Promise<Keyring> {
  let inForce: ReadonlyMap<string, InForce> = new Map();
  let ids: ReadonlySet<number> = new Set();
  const uses = new Map<number, { uses: number; lastUsedAt: number }>();

  const reload = createNewestRead(
    () => keys.listKeys(),
    (listed) => {
      inForce = toInForce(listed);
      ids = new Set(Array.from(inForce.values(), ({ id }) => id));
    },
  );

  async function flush(): Promise<void> {
    if (uses.size === 0) return;
    const counted = [...uses].map(([id, one]) => ({ id, ...one }));
    uses.clear();
    await keys.addUses(counted);
  }

  await reload();
  const timers = [
    setInterval(() => void reload().catch(onError), reloadMs).unref(),
    setInterval(() => void flush().catch(onError), flushMs).unref(),
  ];
  return {
    use(text, kind) {
      const hash = hashApiKey(text, kind);
      const key = hash && inForce.get(hash.toString('base64'));
      if (!key || key.kind !== kind || !isSameHash(key.hash, hash)) return undefined;
      const before = uses.get(key.id)?.uses ?? 0;
      uses.set(key.id, { uses: before + 1, lastUsedAt: clock() });
      return key;
    },
    isInForce: (id) => ids.has(id),
    reload,
    async close() {
      for (const timer of timers) clearInterval(timer);
      await flush();
    },
  };
}

function toInForce(stored: readonly StoredKey[]): Map<string, InForce> {
  const held = stored
    .filter(({ revokedAt }) => revokedAt === null)
    .map(({ id, name, kind, hash, scopes, ratePerMinute }) => {
      const key: InForce = { id, name, kind, hash, scopes: new Set(scopes), ratePerMinute };
      return [Buffer.from(hash).toString('base64'), key] as const;
    });
  return new Map(held);
}
