import { expect, it } from 'vitest';

import { hashBytes } from './shard-hash.ts';

// Results of `SELECT worker_hash('\x…'::bytea)` on Citus 12.1 and PostgreSQL 15.
it.each([
  ['', -1477818771],
  ['f5', 209597090],
  ['f55ff1', 1591570278],
  ['f55ff16f', -2133465468],
  ['f55ff16f66f433', -927424119],
  ['f55ff16f66f43360266b95', 1373591567],
  ['f55ff16f66f43360266b95db', 1191344672],
  ['f55ff16f66f43360266b95db6f', -2126854201],
  ['f55ff16f66f43360266b95db6f8fec01', -1121323268],
  ['f55ff16f66f43360266b95db6f8fec01', -1121323268],
  ['f55ff16f66f43360266b95db6f8fec01d76031054306ae', 1968751825],
  ['f55ff16f66f43360266b95db6f8fec01d76031054306ae4a', -2020875269],
  ['f55ff16f66f43360266b95db6f8fec01d76031054306ae4a4b380598f6', -856650498],
])('hashes %s as Citus does', (hex, hash) => {
  expect(hashBytes(Buffer.from(hex, 'hex'))).toBe(hash);
});
