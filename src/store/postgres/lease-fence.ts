// Makes a write depend on a lease: it locks the lease's row, so that no other node takes it over before the commit,
// and does nothing once one has. Used by every store whose writes belong to a job of one node.

import type { Statement, Values } from '#postgres/connections';
import type { Lease } from '../lease-store.ts';

/** Returns the table `fence` of one row or none, given the positions of the lease's values. */
export function toFence(name: string, holder: string, epoch: string): string {
  return `fence AS MATERIALIZED (
  SELECT 1 FROM mayfly.leases WHERE name = ${name} AND holder = ${holder} AND epoch = ${epoch} FOR SHARE
)`;
}

export function toLeaseValues({ name, holder, epoch }: Lease): readonly [string, string, number] {
  return [name, holder, epoch];
}

/**
 * A statement that selects from no table, fenced if there is a lease; it returns no row once another node holds the
 * lease.
 */
export function underLease(
  statement: Statement,
  values: Values,
  lease: Lease | undefined,
): [Statement, Values] {
  if (!lease) return [statement, values];
  const [name, holder, epoch] = [1, 2, 3].map((at) => `$${values.length + at}`) as [string, string, string];
  const text = `WITH ${toFence(name, holder, epoch)} ${statement.text} FROM fence`;
  return [{ name: `${statement.name}_leased`, text }, [...values, ...toLeaseValues(lease)]];
}
