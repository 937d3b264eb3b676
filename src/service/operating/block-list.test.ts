import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { openSqliteForTest } from '../../../test/contract/open-sqlite-for-test.ts';
import { openForTest } from '../../../test/contract/store-fixture.ts';
import { createOperatorDeps } from '../../../test/support/service/operator-fixture.ts';
import { type BlockList, createBlockList } from './block-list.ts';
import { addBlock, removeBlock } from './manage-blocks.ts';
import { OperatorError } from './operator-error.ts';

async function open() {
  const store = await openForTest(openSqliteForTest);
  const list = await createBlockList({
    blocks: store.blocks,
    onError: (error) => {
      throw error;
    },
  });
  onTestFinished(() => {
    list.close();
  });
  const deps = createOperatorDeps(store, { onBlocksChanged: () => list.reload() });
  const block = (kind: string, value: string) => addBlock(deps, { kind, value, note: '' });
  return { store, list, deps, block };
}

describe('senders', () => {
  let list: BlockList;
  const openWith = async (...values: string[]): Promise<void> => {
    const opened = await open();
    for (const value of values) await opened.block('sender', value);
    ({ list } = opened);
  };

  it('are blocked by address, by domain and by every domain above', async () => {
    await openWith('Bad@Example.org', 'spam.example', 'co.test');
    for (const address of [
      'bad@example.org',
      'BAD@EXAMPLE.ORG',
      'x@spam.example',
      'x@a.b.spam.example',
      'x@co.test',
      'te..st@spam.example',
      '.x.@spam.example',
    ]) {
      expect([address, list.isSenderBlocked(address)]).toEqual([address, true]);
    }
    for (const address of [
      'good@example.org',
      'x@notspam.example',
      'x@example',
      'x@test',
      'spam.example@x.org',
    ]) {
      expect([address, list.isSenderBlocked(address)]).toEqual([address, false]);
    }
  });

  it('are not blocked when they are null (<>) or no address', async () => {
    await openWith('spam.example');
    expect([null, '', 'x', '@', 'x@'].map((address) => list.isSenderBlocked(address))).toEqual(
      Array(5).fill(false),
    );
  });
});

it('blocks prefixes, whole or by how they begin, in any case', async () => {
  const { list, block } = await open();
  await block('prefix', 'PayPal');
  await block('prefix', 'bank*');
  for (const prefix of ['paypal', 'PAYPAL', 'bank', 'bank-of-x', 'BANKER']) {
    expect([prefix, list.isPrefixBlocked(prefix)]).toEqual([prefix, true]);
  }
  for (const prefix of ['paypal2', 'ban', 'mybank', '']) {
    expect([prefix, list.isPrefixBlocked(prefix)]).toEqual([prefix, false]);
  }
});

it('follows what is added and removed, in one spelling each', async () => {
  const { list, deps, store } = await open();
  const at = { kind: 'network', value: '192.0.2.77/24' };
  expect(await addBlock(deps, { ...at, note: 'scanner' })).toEqual({
    kind: 'network',
    value: '192.0.2.0/24',
  });
  await addBlock(deps, { kind: 'network', value: '192.0.2.1/24', note: 'again' });
  expect(await store.blocks.listBlocks()).toMatchObject([{ value: '192.0.2.0/24', note: 'again' }]);
  expect(list.isNetworkBlocked('::ffff:192.0.2.200')).toBe(true);
  await removeBlock(deps, at);
  expect(list.isNetworkBlocked('192.0.2.200')).toBe(false);
  await expect(removeBlock(deps, at)).rejects.toThrow(
    new OperatorError('The network 192.0.2.0/24 is not blocked.'),
  );
});

it('follows what another node adds and removes, within ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { deps, store } = await open();
  let reloads = 0;
  const counted: typeof store.blocks = {
    addBlock: (...block) => store.blocks.addBlock(...block),
    removeBlock: (...block) => store.blocks.removeBlock(...block),
    listBlocks: async () => {
      const listed = await store.blocks.listBlocks();
      reloads += 1;
      return listed;
    },
  };
  const other = await createBlockList({ blocks: counted, onError: () => expect.unreachable() });
  onTestFinished(() => {
    other.close();
  });
  const pass = async (): Promise<void> => {
    const before = reloads;
    vi.advanceTimersByTime(10_000);
    await vi.waitUntil(() => reloads > before, { timeout: 30_000 });
  };
  await addBlock(deps, { kind: 'network', value: '192.0.2.0/24', note: '' });
  await addBlock(deps, { kind: 'sender', value: 'spam.example', note: '' });
  await pass();
  expect([other.isNetworkBlocked('192.0.2.7'), other.isSenderBlocked('x@spam.example')]).toEqual([
    true,
    true,
  ]);
  await removeBlock(deps, { kind: 'network', value: '192.0.2.0/24' });
  await pass();
  expect(other.isNetworkBlocked('192.0.2.7')).toBe(false);
});

it.each([
  ['sender', 'a b'],
  ['sender', '@example.org'],
  ['sender', 'x@'],
  ['sender', '192.0.2.1'],
  ['prefix', ''],
  ['prefix', '*'],
  ['prefix', 'a*b'],
  ['prefix', 'ümlaut'],
  ['network', 'example.org'],
  ['network', '192.0.2.0/40'],
  ['host', 'example.org'],
  ['sender', 'x'.repeat(1000)],
])('refuses to block %s %.20j', async (kind, value) => {
  const { deps } = await open();
  await expect(addBlock(deps, { kind, value, note: '' })).rejects.toBeInstanceOf(OperatorError);
});

it('refuses a note of several lines', async () => {
  const { deps } = await open();
  const request = { kind: 'sender', value: 'a.example' };
  await expect(addBlock(deps, { ...request, note: 'a\nb' })).rejects.toBeInstanceOf(OperatorError);
  await expect(addBlock(deps, { ...request, note: 'x'.repeat(201) })).rejects.toBeInstanceOf(OperatorError);
});
