// The records of mail over the admin interface: deliveries and refusals searched, and the kept statistics.

import { expect, it } from 'vitest';

import { startAdminServer } from '../support/service/admin-fixture.ts';
import { ask, startHttp, type Untyped } from './http-harness.ts';

async function start() {
  const harness = await startHttp({ access: {} });
  const admin = await startAdminServer(harness.ruled);
  const headers = { authorization: `Bearer ${admin.key}` };
  const get = async (path: string): Promise<Untyped> =>
    (await ask(admin, `/admin/${path}`, { headers })).json;
  return { harness, admin, get };
}

it('tells deliveries by address, outcome, host, sender’s domain, reply, id and time', async () => {
  const { admin, get } = await start();
  const peer = {
    remoteAddress: '192.0.2.7',
    tls: null,
    mailFrom: 'x@mail.shop.example',
    helo: 'mx.shop.example',
  };
  const note = (localPart: string, reply: string): void => {
    const address = { localPart, domain: 'mayfly.test' };
    admin.operator.deliveries?.recordUnknownRecipient(address, reply, {
      ...peer,
      connection: `c-${localPart}`,
    });
  };
  note('fox', '550 5.1.1 No such mailbox');
  note('owl', '451 4.3.0 Try again later');
  expect(await get('deliveries?address=FO')).toMatchObject({
    since: expect.stringMatching(/^\d{4}-/),
    deliveries: [
      {
        address: 'fox@mayfly.test',
        outcome: 'refused',
        reply: '550 5.1.1 No such mailbox',
        at: expect.stringMatching(/^\d{4}-/),
        size: null,
        remote_ip: '192.0.2.7',
        networks: ['192.0.2.7/32', '192.0.2.0/24'],
        helo: 'mx.shop.example',
        tls: null,
        sender_domain: 'mail.shop.example',
        id: null,
        connection: 'c-fox',
      },
    ],
  });
  for (const query of [
    'host=192.0.2.0/24',
    'sender=shop.example',
    'reply=451',
    'id=c-owl',
    'since=2026-01-01',
  ]) {
    const [first] = (await get(`deliveries?${query}`)).deliveries;
    expect([query, first.address]).toEqual([query, 'owl@mayfly.test']);
  }
  for (const query of ['host=192.0.3.0/24', 'sender=op.example', 'reply=452', 'id=c', 'until=2026-01-01']) {
    expect([query, (await get(`deliveries?${query}`)).deliveries]).toEqual([query, []]);
  }
  expect((await get('deliveries?outcome=deferred')).deliveries).toHaveLength(1);
  expect((await get('deliveries?limit=1')).deliveries).toHaveLength(1);
  expect(await get('deliveries?outcome=lost')).toMatchObject({ code: 'invalid_parameter' });
});

it('tells refusals before a recipient, and searches them', async () => {
  const { admin, harness, get } = await start();
  const at = admin.operator.now();
  const seen = { count: 2, lastAt: at, host: '192.0.2.7', helo: 'mx.spam.example', sender: null };
  await harness.store.refusals.addRefusals([
    { ...seen, network: '192.0.2.0/24', stage: 'connect', cause: 'blocked_network' },
    {
      ...seen,
      network: '2001:db8:1::/48',
      host: '2001:db8:1:2::3',
      stage: 'mail',
      cause: 'blocked_sender',
      sender: 'spam.example',
    },
    { ...seen, network: '*', host: null, stage: 'tls', cause: 'handshake_failed' },
  ]);
  const stages = async (query: string): Promise<string[]> =>
    (await get(`refusals?${query}`)).refusals.map(({ stage }: { stage: string }) => stage);
  expect((await get('refusals?stage=mail')).refusals).toEqual([
    {
      at: expect.stringMatching(/^\d{4}-.*:00:00$/) as string,
      last_at: expect.stringMatching(/^\d{4}-/) as string,
      network: '2001:db8:1::/48',
      stage: 'mail',
      cause: 'blocked_sender',
      count: 2,
      remote_ip: '2001:db8:1:2::3',
      networks: ['2001:db8:1:2::/64', '2001:db8:1::/48'],
      helo: 'mx.spam.example',
      sender_domain: 'spam.example',
    },
  ]);
  expect(await stages('cause=blocked')).toEqual(['connect', 'mail']);
  expect(await stages('host=192.0.2.200')).toEqual(['connect']);
  expect(await stages('sender=spam.example')).toEqual(['mail']);
  expect(await stages('host=spam.example&limit=1')).toHaveLength(1);
  expect(await stages('until=2001-01-01')).toEqual([]);
  expect(await get('refusals?stage=data')).toMatchObject({ code: 'invalid_parameter' });
});

it('tells the kept statistics', async () => {
  const { harness, get } = await start();
  await harness.store.statistics.addCounts([
    ...['received', 'sessions', 'refused too_big', 'from example.org'].map((name) => ({ name, count: 3 })),
  ]);
  expect(await get('statistics?days=1&by=hour')).toMatchObject({
    by: 'hour',
    points: [{ received: 3, refused: 3, sessions: 3 }],
    causes: [{ name: 'too_big', count: 3 }],
    senders: [{ name: 'example.org', count: 3 }],
  });
});
