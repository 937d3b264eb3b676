// Makes a write part of a lease: it locks the lease's row, so that nobody takes it over before the write is committed,
// and does nothing once somebody has. Used by every store whose writes belong to one node's job.

import type { Lease } from '../lease-store.ts';
import type { Statement, Values } from './connections.ts';

/** The table `fence`, of one row or none; given the places of the lease's values. */
export function toFence(name: string, holder: string, epoch: string): string {
  return `fence AS MATERIALIZED (
  SELECT 1 FROM mayfly.leases WHERE name = ${name} AND holder = ${holder} AND epoch = ${epoch} FOR SHARE
)`;
}

export function toLeaseValues({ name, holder, epoch }: Lease): readonly [string, string, number] {
  return [name, holder, epoch];
}

/** A statement that selects from no table, fenced where there is a lease; it has no row once another has that. */
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
