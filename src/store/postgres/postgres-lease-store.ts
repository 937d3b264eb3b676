// LeaseStore on PostgreSQL, on the database's clock. Made by open-postgres-store.ts.

import type { Connections, Statement } from '#postgres/connections';
import type { Lease, LeaseStore } from '../lease-store.ts';
import { asCallersError } from './database/callers-error.ts';
import { toLeaseValues } from './lease-fence.ts';

export interface PostgresLeaseStoreOptions {
  readonly connections: Connections;
  readonly now: () => number | null;
}

const take: Statement = {
  name: 'mayfly_take_lease',
  text: `INSERT INTO mayfly.leases AS l (name, holder, epoch, until)
    VALUES ($2, $3, 1, mayfly.now_ms($1) + $4)
    ON CONFLICT (name) DO UPDATE SET
      holder = excluded.holder, until = excluded.until,
      epoch = l.epoch + CASE WHEN l.holder = excluded.holder THEN 0 ELSE 1 END
      WHERE l.holder = excluded.holder OR l.until <= mayfly.now_ms($1)
    RETURNING epoch`,
};
const release: Statement = {
  name: 'mayfly_release_lease',
  text: `UPDATE mayfly.leases SET holder = '', until = 0 WHERE name = $1 AND holder = $2 AND epoch = $3`,
};

export class PostgresLeaseStore implements LeaseStore {
  readonly #options: PostgresLeaseStoreOptions;

  constructor(options: PostgresLeaseStoreOptions) {
    this.#options = options;
  }

  async takeLease(name: string, holder: string, leaseMs: number): Promise<Lease | undefined> {
    const { connections, now } = this.#options;
    const values = [now(), name, holder, leaseMs];
    const [row] = await asCallersError(connections.write<{ epoch: number }>(take, values));
    return row && { name, holder, epoch: row.epoch };
  }

  async releaseLease(lease: Lease): Promise<void> {
    await asCallersError(this.#options.connections.write(release, toLeaseValues(lease)));
  }
}
