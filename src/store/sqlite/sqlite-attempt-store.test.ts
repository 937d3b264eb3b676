import { expect, it } from 'vitest';

import { openSqliteForTest } from '../../../test/contract/open-sqlite-for-test.ts';
import { createLive, deliverOne, openForTest } from '../../../test/contract/store-fixture.ts';

it('makes no commit of its own for an attempt while others make theirs', async () => {
  const store = await openForTest(openSqliteForTest);
  const session = await createLive(store);
  const adding = store.attempts.addAttempt(session.key, Buffer.from('attempt'));
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(await store.countRows()).toMatchObject({ content: 0 });
  await deliverOne(store, session);
  expect(await store.countRows()).toMatchObject({ content: 2 });
  await adding;
});
