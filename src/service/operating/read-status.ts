// Counts sessions, mail and the like for the operator's overview.

import type { BlockStore } from '../../store/block-store.ts';
import type { DirectoryStore } from '../../store/directory-store.ts';
import type { JobsStore } from '../../store/jobs-store.ts';
import type { KeyStore } from '../../store/key-store.ts';
import type { SessionFinder } from '../../store/session-finder.ts';

export interface ReadStatusDeps {
  readonly finder: Pick<SessionFinder, 'countLive'>;
  readonly directory: Pick<DirectoryStore, 'listDomains'>;
  readonly keys: Pick<KeyStore, 'listKeys'>;
  readonly blocks: Pick<BlockStore, 'listBlocks'>;
  readonly jobs: Pick<JobsStore, 'listDead'>;
}

export interface StatusCounts {
  readonly liveSessions: number;
  readonly activeDomains: number;
  /** Not revoked. */
  readonly keys: number;
  readonly blocks: number;
  readonly deadWebhooks: number;
}

/** The count of dead webhooks stops here. */
const deadCounted = 1000;

export async function readStatus(deps: ReadStatusDeps): Promise<StatusCounts> {
  const [liveSessions, domains, keys, blocks, dead] = await Promise.all([
    deps.finder.countLive(),
    deps.directory.listDomains(),
    deps.keys.listKeys(),
    deps.blocks.listBlocks(),
    deps.jobs.listDead(deadCounted),
  ]);
  return {
    liveSessions,
    activeDomains: domains.filter(({ isActive }) => isActive).length,
    keys: keys.filter(({ revokedAt }) => revokedAt === null).length,
    blocks: blocks.length,
    deadWebhooks: dead.length,
  };
}
