import { expect, it, vi } from 'vitest';

import { unavailable } from '../database/callers-error.ts';
import { type Shard, ShardMap } from '#postgres/shard-map';
import { ownStates } from '../own-states.ts';
import { createWorkerLookups } from './worker-lookups.ts';

/** Each of two workers has half of the hashes. */
async function openMap(firstId: number): Promise<ShardMap> {
  const halves = [
    { id: firstId, min: -(2 ** 31), max: -1, host: 'one', port: 1 },
    { id: firstId + 1, min: 0, max: 2 ** 31 - 1, host: 'two', port: 2 },
  ] satisfies Shard[];
  const map = new ShardMap({ read: vi.fn().mockResolvedValue(halves) }, 'mayfly.sessions');
  await map.read();
  return map;
}

const keys = Array.from({ length: 12 }, (_, at) => Buffer.from(`key ${at}`.padEnd(16)));

/** Returns the keys of a call's array, in order. */
function keysOf(values: readonly unknown[]): Buffer[] {
  const array = values.at(-1) as Buffer;
  return keys
    .filter((key) => array.includes(key))
    .sort((one, other) => array.indexOf(one) - array.indexOf(other));
}

async function open(read: (host: string, values: readonly unknown[]) => Promise<unknown[]>) {
  const [sessions, addresses] = [await openMap(101), await openMap(201)];
  const elsewhere = {
    byKey: { find: vi.fn().mockResolvedValue('elsewhere by key') },
    byAddress: { find: vi.fn().mockResolvedValue('elsewhere by address') },
  };
  const reads: string[] = [];
  const lookups = createWorkerLookups(
    {
      sessions,
      addresses,
      now: () => null,
      connect: ({ host }) => ({
        read: (async (statement: { name: string }, values: readonly unknown[]) => {
          reads.push(`${host} ${statement.name}`);
          return read(host, values);
        }) as never,
      }),
    },
    elsewhere,
  );
  return { lookups, elsewhere, reads, sessions };
}

/** Each row names the key it was found by. */
const answer = (_: string, values: readonly unknown[]): Promise<unknown[]> =>
  Promise.resolve(
    keysOf(values).map((key, at) => ({ o_place: at + 1, o_key: key, o_address: key, o_ended_at: null })),
  );

it('queries each worker once for simultaneous look-ups, and returns each its own row', async () => {
  const { lookups, reads } = await open(answer);
  const found = await Promise.all(keys.map((key) => lookups.byKey.find(key)));
  expect(found.map((row) => row?.o_key)).toEqual(keys);
  expect(reads.sort()).toEqual(['one mayfly_find_sessions_here', 'two mayfly_find_sessions_here']);
});

it('finds the holder of an address on one worker and its session on the other', async () => {
  const { lookups, reads, sessions } = await open(answer);
  const key = keys.find((one) => sessions.find(one)?.host === 'two')!;
  expect((await lookups.byAddress.find(key))?.o_key).toEqual(key);
  expect(reads).toEqual(['two mayfly_find_holders_here', 'two mayfly_find_sessions_here']);
  expect(await (await open(() => Promise.resolve([]))).lookups.byAddress.find(key)).toBeUndefined();
});

it('returns the sessions of one worker while the other is away', async () => {
  const { lookups, elsewhere, sessions } = await open((host, values) =>
    host === 'one' ? Promise.reject(unavailable(new Error('away'))) : answer(host, values),
  );
  const found = await Promise.allSettled(keys.map((key) => lookups.byKey.find(key)));
  expect(found.map(({ status }) => status)).toEqual(
    keys.map((key) => (sessions.find(key)?.host === 'one' ? 'rejected' : 'fulfilled')),
  );
  expect(new Set(found.map(({ status }) => status)).size).toBe(2);
  expect(elsewhere.byKey.find).not.toHaveBeenCalled();
});

it('asks only for the session of an address that it found before, until that has ended or was renamed', async () => {
  let changes: object = {};
  const { lookups, reads } = await open(async (_, values) =>
    (await answer(_, values)).map((row) => ({ ...(row as object), ...changes })),
  );
  const find = async (): Promise<string[]> => {
    reads.length = 0;
    await lookups.byAddress.find(keys[0]!);
    return reads.map((read) => read.replace(/^\w+ mayfly_find_(\w+)_here$/, '$1'));
  };
  expect(await find()).toEqual(['holders', 'sessions']);
  expect(await find()).toEqual(['sessions']);
  changes = { o_address: Buffer.from('another') };
  expect(await find()).toEqual(['sessions', 'holders', 'sessions']);
  expect(await find()).toEqual(['sessions']);
  changes = { o_address: Buffer.from('another'), o_ended_at: 5 };
  expect(await find()).toEqual(['sessions', 'holders', 'sessions']);
  expect(await find()).toEqual(['holders', 'sessions']);
});

it('goes elsewhere for what has moved, and refreshes the map', async () => {
  const moved = Object.assign(new Error('A shard has moved.'), { code: ownStates.moved });
  const { lookups, sessions } = await open(() => Promise.reject(moved));
  const refresh = vi.spyOn(sessions, 'refresh');
  expect(await lookups.byKey.find(keys[0]!)).toBe('elsewhere by key');
  expect(refresh).toHaveBeenCalledOnce();
  expect(await lookups.byAddress.find(keys[0]!)).toBe('elsewhere by address');
});

it('does not take a delivery that was withheld for a shard that has moved', async () => {
  const withheld = Object.assign(new Error('A recipient is full.'), { code: ownStates.withheld });
  const { lookups, sessions } = await open(() => Promise.reject(withheld));
  const refresh = vi.spyOn(sessions, 'refresh');
  await expect(lookups.byKey.find(keys[0]!)).rejects.toBe(withheld);
  expect(refresh).not.toHaveBeenCalled();
});
