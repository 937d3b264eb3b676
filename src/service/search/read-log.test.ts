import { expect, it } from 'vitest';

import { parseMailQuery } from '#mail-query/mail-query';
import type { TurnOwner } from '#networks/fair-queue';
import { openServices, plainMail } from '../../../test/support/service/service-fixture.ts';
import { CallerGone } from '../session/caller-gone.ts';
import { withRequester } from '../session/turn-owner.ts';
import { createMatcher } from './message-filter.ts';
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

it('looks through messages in the turns of the reader’s network, and no further once the reader has left', async () => {
  const { deps, lend, deliver, refresh } = await openServices();
  const lent = await lend();
  for (let at = 0; at < 12; at++) await deliver(plainMail(`No ${at}`, 'hay'), lent);
  const gone = new AbortController();
  const owners: TurnOwner[] = [];
  const parser: typeof deps.parser = {
    ...deps.parser,
    examine: (raw, options) => {
      owners.push(options.owner);
      if (owners.length === 4) gone.abort(new CallerGone());
      return deps.parser.examine(raw, options);
    },
  };
  const reader = withRequester(await refresh(lent), { network: '192.0.2.1', gone: gone.signal });
  const matcher = createMatcher({ query: parseMailQuery('needle') });
  await expect(readLog({ ...deps, parser }, reader, { after: 0, limit: 16, matcher })).rejects.toThrow(
    CallerGone,
  );
  expect(owners.length).toBeLessThanOrEqual(8);
  expect(owners.every(({ network, signal }) => network === '192.0.2.1' && signal === gone.signal)).toBe(true);
  const page = await readLog({ ...deps, parser }, await refresh(lent), { after: 0, limit: 16, matcher });
  expect([page.entries, page.position]).toEqual([[], 12]);
});
