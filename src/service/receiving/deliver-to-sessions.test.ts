import { expect, it } from 'vitest';

import { openServices, toRawMessage } from '../../../test/support/service/service-fixture.ts';
import type { MessageMeta } from '../../domain/message.ts';
import { createDataKey, openSealed } from '../../secrets/seal.mjs';
import { deliverToSessions, sealRaw } from './deliver-to-sessions.ts';

const chunkBytes = 256 * 1024;
const key = createDataKey();

it.each([
  [0, 1000, [0]],
  [1, 1000, [1]],
  [5000, 1000, [5000]],
  [chunkBytes, chunkBytes, [chunkBytes]],
  [chunkBytes, 7000, [chunkBytes]],
  [chunkBytes + 1, chunkBytes, [chunkBytes, 1]],
  [2 * chunkBytes, 3 * chunkBytes, [chunkBytes, chunkBytes]],
  [2 * chunkBytes + 5, 65_537, [chunkBytes, chunkBytes, 5]],
])('seals %d bytes in pieces of %d as chunks of %j', (sizeBytes, pieceBytes, sizes) => {
  const bytes = Buffer.alloc(sizeBytes, 'abcdefg');
  const sealed = sealRaw(key, toRawMessage(bytes, pieceBytes));
  const opened = [...sealed].map((chunk) => openSealed(key, 'raw', chunk));
  expect(opened.map((chunk) => chunk.length)).toEqual(sizes);
  expect(Buffer.concat(opened).equals(bytes)).toBe(true);
});

it.each([5, 16_384, 16_385, 2 * chunkBytes])(
  'can be iterated again with %d bytes, as a retried commit does',
  (bytes) => {
    const sealed = sealRaw(key, toRawMessage(Buffer.alloc(bytes, 'again')));
    const open = (): Buffer => Buffer.concat([...sealed].map((chunk) => openSealed(key, 'raw', chunk)));
    expect(open()).toEqual(Buffer.alloc(bytes, 'again'));
    expect(open()).toEqual(Buffer.alloc(bytes, 'again'));
  },
);

it('makes one chunk at a time', () => {
  let taken = 0;
  const raw = {
    ...toRawMessage(Buffer.alloc(0)),
    sizeBytes: 4 * chunkBytes,
    *pieces() {
      for (; taken < 4; taken++) yield Buffer.alloc(chunkBytes);
    },
  };
  const chunks = sealRaw(key, raw)[Symbol.iterator]();
  chunks.next();
  expect(taken).toBe(0);
  chunks.next();
  expect(taken).toBe(1);
});

it('tells of each session that it was stored in, with the id there, and of none that has ended', async () => {
  const { lend, deliver, store, deps } = await openServices();
  const sessions = [await lend('one'), await lend('two'), await lend('three')] as const;
  const [, second, third] = sessions;
  await deliver('Subject: first\r\n\r\n', second);
  await store.mail.endSession(third.key);
  const calls: [string, number][] = [];
  const meta = { senderName: '', senderEmail: '', subject: '', ingestId: 'x' } as unknown as MessageMeta;
  await deliverToSessions(
    {
      ...deps,
      onDelivered: ({ address }, { id }) => {
        calls.push([address, id]);
      },
    },
    { raw: toRawMessage(Buffer.from('Subject: second\r\n\r\n')), meta },
    sessions,
  );
  expect(calls).toEqual([
    ['one@mayfly.test', 1],
    ['two@mayfly.test', 2],
  ]);
});
