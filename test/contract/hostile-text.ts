// Contract: any bytes and text come back unchanged. Part of mail-store.ts.

import { expect, it } from 'vitest';

import {
  createLive,
  deliveryOf,
  idOf,
  newSession,
  openForTest,
  type OpenStore,
  readAll,
} from './store-fixture.ts';

const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
/** UTF-8 with encoded lone surrogates, overlong NUL and cut-off sequences. */
const notUtf8 = Buffer.from('eda080 edb080 c080 f09f98 ff fe 00'.replaceAll(' ', ''), 'hex');

const addresses: readonly (readonly [string, string])[] = [
  ['a NUL', 'before\0after@mayfly.test'],
  ['4-byte characters', '\u{1f98a}\u{10ffff}@mayfly.test'],
  ['quotes', `o'"; DROP TABLE sessions; --@mayfly.test`],
  ['wildcards', '%_*?[a]@mayfly.test'],
  ['the longest', `${'x'.repeat(64)}@${'y'.repeat(63)}.${'z'.repeat(63)}.mayfly.test`],
];

export function hostileTextContract(open: OpenStore): void {
  it.each([
    ['every byte', everyByte],
    ['bytes that are not UTF-8', notUtf8],
    ['a lone NUL', Buffer.alloc(1)],
    ['nothing', Buffer.alloc(0)],
  ])('keeps %s in meta, raw and glance', async (_, bytes) => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const id = idOf(await store.mail.deliver([{ ...deliveryOf(session, [bytes, bytes]), meta: bytes }]));
    await store.mail.keepGlance(session.key, id, bytes);
    await store.reopen();
    expect(await store.mail.findMessage(session.key, id)).toMatchObject({ meta: bytes, glance: bytes });
    expect(await readAll(store, session, id)).toEqual(Buffer.concat([bytes, bytes]));
  });

  it.each(addresses)('keeps an address with %s apart from all others', async (_, address) => {
    const store = await openForTest(open);
    const others = [
      'before@mayfly.test',
      'before\0other@mayfly.test',
      'a@mayfly.test',
      '\u{1f98b}@mayfly.test',
    ];
    for (const other of others) await createLive(store, { address: other });
    const session = await createLive(store, { address });
    expect(session.address).toBe(address);
    expect(await store.mail.createSession(newSession({ address }))).toBe('taken');
    await store.reopen();
    expect(await store.mail.findLiveSession(address.toLowerCase())).toEqual(session);
    await store.mail.endSession(session.key);
    await createLive(store, { address });
    for (const other of others) {
      expect(await store.mail.findLiveSession(other)).toMatchObject({ address: other });
    }
  });
}
