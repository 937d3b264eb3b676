// 200 workers of a test run with one service: none sees another's mail, through any interface.

import { expect, it } from 'vitest';

import { deleteAll, findCrossings, startWorkers } from '../support/clients/capture-workers.ts';
import { useDataFolder, useMayfly } from '../support/service/mayfly-fixture.ts';

it('shows each of 200 workers only its own mail, and deletes no other’s', async () => {
  const settings = { MAYFLY_COMPAT_PORT: '0', MAYFLY_LIMITS_RATE: 'off' };
  const mayfly = await useMayfly(await useDataFolder(), settings);
  const workers = await startWorkers(mayfly, 200);
  expect(workers.flatMap(({ sent }) => sent)).toHaveLength(600);
  expect(await findCrossings(mayfly, workers)).toEqual([]);
  await deleteAll(
    mayfly,
    workers.filter((_, number) => number % 2 === 0),
  );
  expect(workers.flatMap(({ sent }) => sent)).toHaveLength(300);
  expect(await findCrossings(mayfly, workers)).toEqual([]);
});
