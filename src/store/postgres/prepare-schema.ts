// Brings a database's schema up to date, with the functions of its kind: those of a single server, or of a schema that
// Citus distributes. Every program that serves or fills the database begins with this.

import type pg from 'pg';

import { cluster } from './citus/cluster.ts';
import { readClusterFunctions, readDistribution } from './citus/distribution.ts';
import { UnfitDatabaseError } from './database/check-database.ts';
import { migrate } from './database/migrate.ts';
import { readFunctions } from './database/put-functions.ts';
import { singleServer } from './single-server.ts';
import type { Topology } from './topology.ts';

/** @throws NewerSchemaError, UnfitDatabaseError */
export async function prepareSchema(client: pg.Client): Promise<Topology> {
  const distribution = await readDistribution(client);
  if (distribution === 'begun') {
    throw new UnfitDatabaseError(
      'The database is not distributed to the end: run `mayfly postgres distribute` again first.',
    );
  }
  if (distribution === 'finished') {
    await migrate(client, { functions: readClusterFunctions });
    return cluster;
  }
  await migrate(client, { functions: () => readFunctions('plain') });
  return singleServer;
}
