// The dependencies of operator commands, over the stores of a test.

import { randomBytes } from 'node:crypto';

import { createAccountSecrets } from '../../src/service/account-secrets.ts';
import type { OperatorDeps } from '../../src/service/operator-deps.ts';
import type { Stores } from '../../src/store/stores.ts';

/** Without network access and certificate. */
export function createOperatorDeps(
  store: Omit<Stores, 'operatorMailbox'>,
  given: Partial<OperatorDeps> = {},
): OperatorDeps {
  const nothing = (): Promise<void> => Promise.resolve();
  const { mail, directory, jobs, keys, blocks, finder } = store;
  return {
    ...{ mail, directory, jobs, keys, blocks, finder },
    lastMail: { list: () => directory.listLastMail() },
    domainChecks: { hostname: 'mx.mayfly.test', lookUps: undefined, readCertificate: () => undefined },
    gmail: {
      gmail: store.gmail,
      secrets: createAccountSecrets(randomBytes(32)),
      testAccount: () => Promise.reject(new Error('Not asked for.')),
      onAccountsChanged: () => undefined,
    },
    copy: { make: () => Promise.reject(new Error('Not asked for.')) },
    defaultQuarantineMs: 30 * 86_400_000,
    settings: [],
    onKeysChanged: nothing,
    onBlocksChanged: nothing,
    ...given,
  };
}
