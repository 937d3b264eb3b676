// Brings a database's schema up to date, with the functions of its kind: those of a single server, or of a schema that
// Citus distributes. Every program that serves or fills the database begins with this.

import type pg from 'pg';

import { readClusterFunctions, readDistribution } from './citus/distribution.ts';
import { UnfitDatabaseError } from './database/check-database.ts';
import { migrate, type MigrateOptions } from './database/migrate.ts';
import { readFunctions } from './database/put-functions.ts';

/** Returns whether the schema is distributed. @throws NewerSchemaError, UnfitDatabaseError */
export async function prepareSchema(
  client: pg.Client,
  options: Pick<MigrateOptions, 'migrations'> = {},
): Promise<boolean> {
  const distribution = await readDistribution(client);
  if (distribution === 'begun') {
    throw new UnfitDatabaseError(
      'The database is not distributed to the end: run `mayfly postgres distribute` again first.',
    );
  }
  const isDistributed = distribution === 'finished';
  await migrate(client, {
    ...options,
    functions: isDistributed ? readClusterFunctions : () => readFunctions('plain'),
  });
  return isDistributed;
}
