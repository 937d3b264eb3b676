import { expect, it } from 'vitest';

import { listMaxMessages } from '../domain/limits.ts';
import type { Session } from '../domain/session.ts';
import { listAllMessages } from './list-all.ts';

it.each([0, 1, 999, 1000, 1001, 2500])('lists all of %i messages, newest first', async (messageCount) => {
  const checkMail = (_session: Session, { before = Infinity } = {}): Promise<{ id: number }[]> => {
    const newest = Math.min(messageCount, before - 1);
    const count = Math.min(newest, listMaxMessages);
    return Promise.resolve(Array.from({ length: count }, (_, at) => ({ id: newest - at })));
  };
  const listed = await listAllMessages({ checkMail } as never, { messageCount } as never);
  expect(listed.map(({ id }) => id)).toEqual(
    Array.from({ length: messageCount }, (_, at) => messageCount - at),
  );
});
