// Contract: block lists are kept. Found by mail-store.ts.

import { expect, it } from 'vitest';

import { openForTest, type OpenStore } from '../store-fixture.ts';

export function contract(open: OpenStore): void {
  it('keeps blocks by kind and value, with their notes', async () => {
    const store = await openForTest(open);
    expect(await store.blocks.listBlocks()).toEqual([]);
    const createdAt = store.clock.now();
    await store.blocks.addBlock('sender', 'spam.example', 'since May');
    await store.blocks.addBlock('network', '192.0.2.0/24', '');
    await store.blocks.addBlock('sender', 'bad@example.org', 'ünï "quoted"');
    await store.blocks.addBlock('prefix', 'spam.example', '');
    await store.reopen();
    expect(await store.blocks.listBlocks()).toEqual([
      { kind: 'network', value: '192.0.2.0/24', note: '', createdAt },
      { kind: 'prefix', value: 'spam.example', note: '', createdAt },
      { kind: 'sender', value: 'bad@example.org', note: 'ünï "quoted"', createdAt },
      { kind: 'sender', value: 'spam.example', note: 'since May', createdAt },
    ]);
  });

  it('changes the note of a block that is added again, and not its age', async () => {
    const store = await openForTest(open);
    const createdAt = store.clock.now();
    await store.blocks.addBlock('sender', 'spam.example', 'one');
    store.clock.advance(1000);
    await store.blocks.addBlock('sender', 'spam.example', 'two');
    expect(await store.blocks.listBlocks()).toEqual([
      { kind: 'sender', value: 'spam.example', note: 'two', createdAt },
    ]);
  });

  it('removes one block and reports whether it existed', async () => {
    const store = await openForTest(open);
    await store.blocks.addBlock('sender', 'spam.example', '');
    await store.blocks.addBlock('prefix', 'spam.example', '');
    expect(await store.blocks.removeBlock('network', 'spam.example')).toBe(false);
    expect(await store.blocks.removeBlock('sender', 'spam.example')).toBe(true);
    expect(await store.blocks.removeBlock('sender', 'spam.example')).toBe(false);
    expect(await store.blocks.listBlocks()).toMatchObject([{ kind: 'prefix' }]);
  });
}
