// One-time links by which an operator signs in for the first time: the code in a link is exchanged once, within the hour,
// for an admin key. Kept in memory, so that a restart ends them.

import { createHash, randomBytes } from 'node:crypto';

import { addKey, type AddKeyDeps, type MadeKey } from './manage-keys.ts';
import { OperatorError } from './operator-error.ts';

export interface SignInLink {
  /** Stored nowhere. */
  readonly code: string;
  /** ms since 1970. */
  readonly endsAt: number;
}

export interface SignInLinks {
  /** @throws OperatorError */
  make(): SignInLink;
  /** Resolves with undefined unless the code, which is untrusted, is that of an unused link. @throws OperatorError */
  redeem(code: string): Promise<MadeKey | undefined>;
}

const lifetimeMs = 60 * 60_000;
const openMax = 10;

/** @param clock ms since 1970 */
export function createSignInLinks(deps: AddKeyDeps, clock: () => number = Date.now): SignInLinks {
  // By the hash, so that the time of a look-up reveals nothing of a code.
  const open = new Map<string, number>();
  const hash = (code: string): string => createHash('sha256').update(code).digest('hex');
  return {
    make() {
      for (const [known, endsAt] of open) if (endsAt <= clock()) open.delete(known);
      if (open.size >= openMax) {
        throw new OperatorError('Too many links are open; each ends within the hour.');
      }
      const code = randomBytes(32).toString('base64url');
      const endsAt = clock() + lifetimeMs;
      open.set(hash(code), endsAt);
      return { code, endsAt };
    },
    async redeem(code) {
      const known = hash(code);
      const endsAt = open.get(known) ?? 0;
      open.delete(known);
      if (endsAt <= clock()) return undefined;
      const name = `link-${new Date(clock()).toISOString().slice(0, 10)}-${randomBytes(3).toString('hex')}`;
      return addKey(deps, { name, kind: 'admin', scopes: [] });
    },
  };
}
