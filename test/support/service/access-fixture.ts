// Access rules for a test: everything open and unlimited except what the test restricts, over the test's own store.

import { NetworkLimiter } from '#networks/network-limiter';
import { randomBytes } from 'node:crypto';

import type { Access } from '../../../src/http/access/access.ts';
import {
  type AccessOptions,
  type AccessRates,
  createAccess,
} from '../../../src/http/access/create-access.ts';
import { type BlockList, createBlockList } from '../../../src/service/operating/block-list.ts';
import { createKeyring, type Keyring } from '../../../src/service/operating/keyring.ts';
import type { OperatorDeps } from '../../../src/service/operating/operator-deps.ts';
import { createSignIns } from '../../../src/service/operating/sign-ins.ts';
import { createSessionCaps } from '../../../src/service/addresses/session-caps.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { createOperatorDeps } from './operator-fixture.ts';

export interface TestAccess {
  readonly access: Access;
  readonly keyring: Keyring;
  readonly blocks: BlockList;
  readonly operator: OperatorDeps;
  /** Moves the clock of the rate limits. */
  advance(ms: number): void;
  /** Call it before the store closes. */
  close(): Promise<void>;
}

export interface TestAccessOptions extends Partial<Pick<AccessOptions, 'isKeyRequired' | 'challenges'>> {
  readonly rates?: Partial<AccessRates>;
  readonly perAddress?: number;
  readonly total?: number;
}

const unlimited: AccessRates = {
  createsPerMinute: Infinity,
  createsPerDay: Infinity,
  keyCreatesPerMinute: Infinity,
  requestsPerMinute: Infinity,
  linkRequestsPerMinute: Infinity,
  authFailuresPerMinute: Infinity,
  limitsKeys: true,
};

export async function createTestAccess(
  store: Omit<Stores, 'operatorMailbox'>,
  options: TestAccessOptions = {},
): Promise<TestAccess> {
  const onError = (error: unknown): void => {
    throw error;
  };
  const keyring = await createKeyring({
    clock: Date.now,
    keys: store.keys,
    passkeys: store.passkeys,
    onError,
  });
  const blocks = await createBlockList({ blocks: store.blocks, onError });
  const time = { now: 1_000_000 };
  const { perAddress = Infinity, total = Infinity } = options;
  const access = createAccess({
    rates: { ...unlimited, ...options.rates },
    isKeyRequired: options.isKeyRequired ?? false,
    keyring,
    blocks,
    challenges: options.challenges,
    wrongCredentials: new NetworkLimiter(
      { count: { ...unlimited, ...options.rates }.authFailuresPerMinute, periodMs: 60_000 },
      () => time.now,
    ),
    caps: createSessionCaps({ clock: Date.now, finder: store.finder, perAddress, total }),
    clock: () => time.now,
  });
  const { passkeys } = store;
  const signIns = createSignIns({ store: passkeys, secret: randomBytes(32), now: store.now, keyring });
  return {
    access,
    keyring,
    blocks,
    operator: createOperatorDeps(store, {
      onKeysChanged: () => keyring.reload(),
      onBlocksChanged: () => blocks.reload(),
      signIns: () => Promise.resolve(signIns),
    }),
    advance: (ms) => void (time.now += ms),
    close: async () => {
      blocks.close();
      await keyring.close();
    },
  };
}
