import { expect, it } from 'vitest';

import { type MessageIdentity, toOrigin } from './message-origin.ts';

function identity(given: Partial<MessageIdentity> = {}): MessageIdentity {
  const fields = [{ name: 'Message-ID', value: '<a@b>' }];
  return {
    accountId: 1,
    serverId: undefined,
    header: Buffer.from('Message-ID: <a@b>\r\n\r\n'),
    fields,
    ...given,
  };
}

it('is 16 bytes, the same for the same message', () => {
  expect(toOrigin(identity())).toHaveLength(16);
  expect(toOrigin(identity())).toEqual(toOrigin(identity()));
});

it('differs by account, header and server’s id, and by nothing else once there is one', () => {
  const header = Buffer.from('Message-ID: <a@b>\r\nX: y\r\n\r\n');
  const origins = [
    identity(),
    identity({ accountId: 2 }),
    identity({ header }),
    identity({ serverId: '7' }),
    identity({ serverId: '7', accountId: 2 }),
    identity({ serverId: '8' }),
  ].map((one) => toOrigin(one).toString('hex'));
  expect(new Set(origins).size).toBe(origins.length);
  expect(toOrigin(identity({ serverId: '7', header }))).toEqual(toOrigin(identity({ serverId: '7' })));
});
