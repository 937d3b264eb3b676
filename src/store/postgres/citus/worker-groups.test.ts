import { expect, it, vi } from 'vitest';

import type { SessionKey } from '../../../domain/session.ts';
import type { Delivery } from '../../mail-store.ts';
import { type DeliveryCopy, toCopy } from '../delivery/delivery-batch.ts';
import { type Shard, ShardMap } from '#postgres/shard-map';
import { sendHere } from './worker-groups.ts';

const settings = { quota: { messages: 10, bytes: 1000 }, outboxRows: 0, now: () => 5 };

function copyOf(text: string): DeliveryCopy {
  const key = Buffer.from(text.padEnd(16)) as unknown as SessionKey;
  const delivery: Delivery = { key, sizeBytes: 3, meta: Buffer.from('meta'), raw: [Buffer.from('raw')] };
  return toCopy(delivery);
}

/** Each of two workers has half of the hashes. */
async function openMap(): Promise<ShardMap> {
  const halves = [
    { id: 101, min: -(2 ** 31), max: -1, host: 'one', port: 1 },
    { id: 102, min: 0, max: 2 ** 31 - 1, host: 'two', port: 2 },
  ] satisfies Shard[];
  const map = new ShardMap({ read: vi.fn().mockResolvedValue(halves) }, 'mayfly.sessions');
  await map.read();
  return map;
}

function shardOf(map: ShardMap, { delivery }: DeliveryCopy): number | undefined {
  return map.find(delivery.key)?.id;
}

it('finds the shard whose range contains the hash of the key, and none before the map is read', async () => {
  const map = await openMap();
  const ids = Array.from({ length: 40 }, (_, at) => shardOf(map, copyOf(`session ${at}`)));
  expect(new Set(ids)).toEqual(new Set([101, 102]));
  expect(new ShardMap({ read: vi.fn() }, 'mayfly.sessions').find(copyOf('a').delivery.key)).toBeUndefined();
});

it('sends a group by its shards in ascending order, and returns the outcomes in the original order', async () => {
  const map = await openMap();
  const all = Array.from({ length: 12 }, (_, at) => copyOf(`session ${at}`));
  const second = all.filter((copy) => shardOf(map, copy) === 102).slice(0, 2);
  const first = all.filter((copy) => shardOf(map, copy) === 101).slice(0, 1);
  const query = vi
    .fn()
    .mockResolvedValue([{ o_at: 7, o_places: [1, 2, 3], o_seqs: [11, 21, 22], o_is_moved: false }]);
  const outcomes = await sendHere({ settings, map }, { query }, [second[0]!, first[0]!, second[1]!]);
  expect(outcomes).toEqual([
    { outcome: 'stored', id: 21, receivedAt: 7 },
    { outcome: 'stored', id: 11, receivedAt: 7 },
    { outcome: 'stored', id: 22, receivedAt: 7 },
  ]);
  const [, [key, shards, firsts]] = query.mock.calls[0] as [unknown, [Uint8Array, Buffer, Buffer]];
  expect(key).toEqual(first[0]?.delivery.key);
  expect([shards.readBigInt64BE(24), shards.readBigInt64BE(36)]).toEqual([101n, 102n]);
  expect([firsts.readInt32BE(24), firsts.readInt32BE(32)]).toEqual([1, 2]);
});

it('leaves over what has moved, and refreshes the map', async () => {
  const map = await openMap();
  const refresh = vi.spyOn(map, 'refresh');
  const query = vi.fn().mockResolvedValue([{ o_at: 7, o_places: null, o_seqs: null, o_is_moved: true }]);
  expect(await sendHere({ settings, map }, { query }, [copyOf('a')])).toEqual([undefined]);
  expect(refresh).toHaveBeenCalledOnce();
});
