import { expect, it, vi } from 'vitest';

import { openServices, toRawMessage } from '../../../test/support/service/service-fixture.ts';
import { sealedChunkMaxBytes } from '../../domain/limits.ts';
import type { MessageMeta } from '../../domain/message.ts';
import { ReadingKey } from '#sealing/reading-key';
import { sealHeaderBytes } from '#sealing/sealed-format';
import { createSealTarget } from '#sealing/sealer';
import { createToken } from '#sealing/token';
import { deliverToSessions, headerOf, sealRaw } from './deliver-to-sessions.ts';

const chunkBytes = 256 * 1024;
const { token } = createToken();
const target = createSealTarget(token);
const reading = ReadingKey.ofToken(token, target);

/** Opens chunks in order; the first has the header of all. */
function createOpener(): (chunk: Uint8Array) => Buffer {
  let header: Uint8Array | undefined;
  return (chunk) => {
    if (header) return reading.openPart('raw', header, chunk);
    header = Uint8Array.from(chunk.subarray(0, sealHeaderBytes));
    return reading.open('raw', chunk);
  };
}

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
  const sealed = sealRaw(target, toRawMessage(bytes, pieceBytes));
  const opened = [...sealed].map(createOpener());
  expect(opened.map((chunk) => chunk.length)).toEqual(sizes);
  expect(Buffer.concat(opened).equals(bytes)).toBe(true);
});

it.each([5, 16_384, 16_385, 2 * chunkBytes])(
  'can be iterated again with %d bytes, as a retried commit does',
  (bytes) => {
    const sealed = sealRaw(target, toRawMessage(Buffer.alloc(bytes, 'again')));
    const open = (): Buffer => Buffer.concat([...sealed].map(createOpener()));
    expect(open()).toEqual(Buffer.alloc(bytes, 'again'));
    expect(open()).toEqual(Buffer.alloc(bytes, 'again'));
  },
);

it.each([16_385, 2 * chunkBytes + 5])(
  'seals %d bytes into the slabs it is given, one after the other',
  (size) => {
    const bytes = Buffer.from(Array.from({ length: size }, (_, at) => at % 251));
    const slab = Buffer.alloc(sealedChunkMaxBytes);
    const opened: Buffer[] = [];
    const open = createOpener();
    for (const chunk of sealRaw(target, toRawMessage(bytes, 7001)).into?.(() => slab) ?? []) {
      expect(chunk.buffer).toBe(slab.buffer);
      opened.push(open(chunk));
    }
    expect(Buffer.concat(opened).equals(bytes)).toBe(true);
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
  const chunks = sealRaw(target, raw)[Symbol.iterator]();
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

it.each([
  ['the first piece where that has the whole header', ['Subject: x\r\n\r\nbody', 'more'], 0],
  ['the head where the header goes on in the second piece', ['Subject: x\r\nX-A: y', '\r\n\r\nbody'], 1],
  ['the head where no line is empty', ['Subject: x\r\n'], 1],
  ['the head of an empty message', [], 1],
])('takes for the header %s', (_, texts, headsJoined) => {
  const pieces = texts.map((text) => Buffer.from(text));
  const head = vi.fn(() => Buffer.concat(pieces));
  const header = headerOf({ ...toRawMessage(Buffer.concat(pieces)), pieces: () => pieces, head });
  expect(header.equals(headsJoined === 0 ? pieces[0]! : Buffer.concat(pieces))).toBe(true);
  expect(head).toHaveBeenCalledTimes(headsJoined);
});
