// The attack of disk-attack.test.ts on 1,000 live and 1,000 ended sessions with 10,000 mails. Each of some 200,000 keys
// is tried on each mail: half an hour.

import { expect, it } from 'vitest';

import { attackPostgres, attackSqlite, nothing } from '../support/attacker/attack-stores.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';

const amounts = { live: 1000, ended: 1000, mailsEach: 5 };
const postgres = usePostgresFixture();
const timeout = 2 * 60 * 60_000;

it(
  'nothing on the disk opens any of 10,000 mails of 2,000 sessions',
  async () => {
    for (const gained of await attackSqlite(amounts, false)) expect(gained).toEqual(nothing);
  },
  timeout,
);

it(
  'nothing on the disks of a service and its PostgreSQL opens any of 10,000 mails of 2,000 sessions',
  async () => {
    for (const gained of await attackPostgres(postgres, amounts)) expect(gained).toEqual(nothing);
  },
  timeout,
);
