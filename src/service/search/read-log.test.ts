import { expect, it } from 'vitest';

import { openServices, plainMail } from '../../../test/support/service/service-fixture.ts';
import { readLog } from './read-log.ts';

const limit = 10;

it('shows the newest entry, whether or not it is a message', async () => {
  const { deps, store, lend, deliver } = await openServices();
  const session = await lend();
  const { key } = session;
  const id = await deliver(plainMail('One'), session);
  expect((await readLog(deps, session, { after: id - 1, limit })).entries).toMatchObject([
    { seq: id, kind: 'message.received', message: { id, subject: 'One' } },
  ]);
  await store.mail.extendSession(key, 7_200_000);
  const { entries, position } = await readLog(deps, session, { after: id, limit });
  expect(entries).toMatchObject([{ seq: id + 1, kind: 'session.extended' }]);
  expect(position).toBe(id + 1);
});

it('omits a message deleted since, and names it in the entry of its deletion', async () => {
  const { deps, store, lend, deliver } = await openServices();
  const session = await lend();
  const id = await deliver(plainMail('One'), session);
  await store.mail.deleteMessage(session.key, id);
  const { entries } = await readLog(deps, session, { after: id - 1, limit });
  expect(entries).toEqual([{ seq: id + 1, kind: 'message.deleted', messageId: id }]);
});
