// The dependencies of operator commands, over the stores of a test.

import { randomBytes } from 'node:crypto';

import { openAudit } from '../../../src/app/open-audit.ts';
import { createAccountSecrets } from '../../../src/service/operating/account-secrets.ts';
import { checkDomain } from '../../../src/service/operating/check-domain.ts';
import { createSessionCounts } from '../../../src/service/addresses/count-by-domain.ts';
import { createDomainStates } from '../../../src/service/operating/domain-states.ts';
import { createSignInLinks } from '../../../src/service/operating/sign-in-links.ts';
import { createRecentDeliveries } from '../../../src/service/records/recent-deliveries.ts';
import type { OperatorDeps } from '../../../src/service/operating/operator-deps.ts';
import type { Stores } from '../../../src/store/stores.ts';

/** Without network access and certificate. */
export function createOperatorDeps(
  store: Omit<Stores, 'operatorMailbox'>,
  given: Partial<OperatorDeps> = {},
): OperatorDeps {
  const nothing = (): Promise<void> => Promise.resolve();
  const { mail, directory, jobs, keys, passkeys, serverKeys, blocks, inbound, finder } = store;
  const readCertificate = () => Promise.resolve('off' as const);
  const domainChecks = { hostname: 'mx.mayfly.test', lookUps: undefined, readCertificate };
  return {
    mail,
    directory,
    jobs,
    keys,
    passkeys,
    serverKeys,
    blocks,
    audit: openAudit(store, (error) => {
      throw error;
    }),
    statistics: store.statistics,
    refusals: store.refusals,
    now: store.now,
    inbound,
    sealInbound: (_route, secret) => Promise.resolve(Buffer.from(JSON.stringify(secret))),
    inboundUrl: (route) => `https://mail.example.org/inbound/${route}`,
    finder,
    lastMail: { list: () => directory.listLastMail() },
    domainChecks,
    domainStates: createDomainStates({ directory, check: (domain) => checkDomain(domainChecks, domain) }),
    sessionCounts: createSessionCounts(finder),
    deliveries: createRecentDeliveries(),
    gmail: {
      gmail: store.gmail,
      now: store.now,
      secrets: createAccountSecrets(randomBytes(32)),
      testAccount: () => Promise.reject(new Error('Not asked for.')),
      onAccountsChanged: () => undefined,
    },
    certificates: {
      certificate: () => Promise.resolve(undefined),
      renewal: () => Promise.resolve(undefined),
      requestRenewal: nothing,
    },
    doctor: {
      examine: () => Promise.resolve({ checkedAt: 0, state: 'unknown', findings: [] }),
      isServing: false,
      openProbes: () => Promise.resolve(undefined),
    },
    readOverview: async () => ({
      disk: 'unknown',
      store: { ...(await store.measure()), isOnDisk: true },
      certificates: [],
      backup: undefined,
      webhooks: await store.queue.measureQueue(100),
      pushesWaiting: 0,
      nodes: [],
    }),
    links: createSignInLinks({ keys, onKeysChanged: nothing }),
    copy: { make: () => Promise.reject(new Error('Not asked for.')) },
    defaultQuarantineMs: 30 * 86_400_000,
    settings: [],
    onKeysChanged: nothing,
    onBlocksChanged: nothing,
    ...given,
  };
}
