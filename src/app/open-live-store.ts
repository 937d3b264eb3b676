// Opens the store together with the parts that follow its changes: waiting readers, caches, other nodes, and its Gmail
// accounts. Part of the composition root.

import type { Syncing } from '../store/sqlite/open-sqlite-store.ts';
import type { Logger } from '#telemetry/logger';
import type { Config } from '#config/settings';
import { demoDomain } from '../domain/addresses/special-domain.ts';
import type { SessionKey } from '../domain/session.ts';
import { addDomain, isDemoOnly } from '../service/operating/manage-domains.ts';
import { createSessionCaches, type SessionCaches } from '../service/mail/session-caches.ts';
import { epochMs as usualEpochMs } from '#sealing/sealer';
import { SmtpFaults } from '../service/receiving/smtp-faults.ts';
import type { StoreObserver } from '../store/store-observer.ts';
import type { Stores } from '../store/stores.ts';
import { collectAtRest } from './collect-at-rest.ts';
import { createGmail, type Gmail } from './create-gmail.ts';
import { createLive, type Live } from './create-live.ts';
import { isShared, openStore } from './open-store.ts';
import { describeStoreFault } from './store-fault.ts';

/**
 * How long unused cache entries are kept where another node may end a session unnoticed; they are gone within a minute.
 */
const unheardMs = 50_000;

export interface LiveStore extends Stores {
  readonly live: Live;
  readonly accounts: Gmail;
  /** Cleared of sessions that have ended. */
  readonly caches: SessionCaches;
  /** Likewise. */
  readonly smtpFaults: SmtpFaults;
  /** Deliveries that have not reached the store yet: its group commit waits a moment for them. */
  readonly incoming: { count: number };
}

export interface LiveStoreOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Called when the store can no longer be written; the process has to exit without a retry. */
  readonly onBroken: (error: Error) => void;
  /** `commits` when absent; `never` only where the data folder ends with the process. */
  readonly syncing?: Syncing;
  /** Set in one of several processes that share the data folder, which their parent process holds. */
  readonly worker?: { readonly place: number };
  /** How long after its last use decrypted mail stays in memory; shorter in tests. */
  readonly epochMs?: number;
}

/** @throws StartError */
export async function openLiveStore(
  { config, log, onBroken, worker, epochMs = usualEpochMs, syncing = 'commits' }: LiveStoreOptions,
  observer: StoreObserver,
): Promise<LiveStore> {
  const incoming = { count: 0 };
  const live = createLive(config);
  const smtpFaults = new SmtpFaults();
  const caches = createSessionCaches({
    idleMaxMs: Math.min(epochMs, isShared(config) ? unheardMs : Infinity),
  });
  let announce: (key: SessionKey) => void = () => undefined;
  const store = await openStore({
    config,
    log,
    onBroken,
    syncing,
    isFolderLocked: worker !== undefined,
    onNews: (key) => {
      live.onNews(key);
      announce(key);
    },
    onEnded: (key) => {
      caches.forget(key);
      smtpFaults.forget(key);
    },
    writesExpected: () => incoming.count,
    observer,
  });
  const accounts = await createAccounts(config, store);
  const channel = store.shared?.createWakeChannel({
    onWake: (key) => {
      // The session may have ended on another node.
      caches.forget(key);
      live.onNews(key);
    },
    onGap: () => {
      caches.forgetAll();
      live.onGap();
    },
    onError: (error) => {
      log.warn('news.interrupted', { reason: describeStoreFault(error) });
    },
  });
  if (channel) {
    announce = (key) => {
      channel.announce(key);
    };
  }
  const atRest = collectAtRest(caches);
  return {
    ...store,
    live,
    accounts,
    caches,
    smtpFaults,
    incoming,
    close: async () => {
      atRest.close();
      await channel?.close();
      await store.close();
    },
  };
}

async function createAccounts(config: Config, store: Stores): Promise<Gmail> {
  try {
    return createGmail(config, store);
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Adds the configured domains to a store that never had any, or only the demo domain, which they replace. Without
 * configured ones a new store gets the demo domain.
 */
export async function addFirstDomains(
  { directory }: Pick<Stores, 'directory'>,
  config: Config,
): Promise<void> {
  const { domains } = config.general;
  const hasEverHad = await directory.hasEverHadDomain();
  if (hasEverHad && (domains.length === 0 || !isDemoOnly(await directory.listDomains()))) return;
  const names = domains.length > 0 ? domains : [demoDomain];
  // The demo domain last: where it is configured beside others, they do not retire it.
  const inOrder = [...names].sort((one, other) => Number(one === demoDomain) - Number(other === demoDomain));
  for (const name of inOrder) {
    await addDomain(directory, { name, defaultQuarantineMs: config.session.quarantineSeconds * 1000 });
  }
}
