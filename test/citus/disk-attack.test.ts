// Nothing on the disks of a cluster opens mail: those of all its machines, with their logs, and of the service.

import { expect, it, onTestFinished } from 'vitest';

import { attackCitus, nothing } from '../support/attacker/attack-stores.ts';
import { createCitusDatabase } from '../support/postgres/citus-cluster.ts';

it('nothing on the disks of a service and its cluster opens mail or shows any of it', async () => {
  const database = await createCitusDatabase('attack');
  onTestFinished(() => database.drop());
  const amounts = { live: 20, ended: 20, mailsEach: 3 };
  for (const gained of await attackCitus(database, amounts)) expect(gained).toEqual(nothing);
});
