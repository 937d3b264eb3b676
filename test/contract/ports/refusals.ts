// Contract: refusals are added up by hour, network, stage and cause, by every node, within a bound. Found by
// mail-store.ts.

import { expect, it } from 'vitest';

import type { NewRefusal } from '../../../src/store/refusal-store.ts';
import { hourMs, openForTest, type OpenStore } from '../store-fixture.ts';

function refusal(network: string, given: Partial<NewRefusal> = {}): NewRefusal {
  return {
    network,
    stage: 'connect',
    cause: 'blocked_network',
    count: 1,
    lastAt: 1,
    host: null,
    helo: '',
    sender: null,
    ...given,
  };
}

export function contract(open: OpenStore): void {
  it('adds refusals to their hour and keeps the latest host, name and sender, across a restart', async () => {
    const store = await openForTest(open);
    const start = store.clock.now();
    const at = start - (start % hourMs);
    await store.refusals.addRefusals([
      refusal('192.0.2.0/24', { count: 2, host: '192.0.2.7', helo: 'a', sender: '' }),
      refusal('192.0.2.0/24', { stage: 'mail', cause: 'blocked_sender', lastAt: 3, sender: 'example.org' }),
    ]);
    await store.refusals.addRefusals([
      refusal('192.0.2.0/24', { count: 40, lastAt: 2, host: '192.0.2.8', helo: 'b' }),
    ]);
    await store.reopen();
    expect(await store.refusals.listRefusals(0)).toEqual([
      {
        ...refusal('192.0.2.0/24', {
          stage: 'mail',
          cause: 'blocked_sender',
          lastAt: 3,
          sender: 'example.org',
        }),
        at,
      },
      { ...refusal('192.0.2.0/24', { count: 42, lastAt: 2, host: '192.0.2.8', helo: 'b' }), at },
    ]);
    store.clock.advance(hourMs);
    await store.refusals.addRefusals([refusal('192.0.2.0/24', { lastAt: 9 })]);
    expect(await store.refusals.listRefusals(at + 1)).toEqual([
      { ...refusal('192.0.2.0/24', { lastAt: 9 }), at: at + hourMs },
    ]);
  });

  it('forgets hours that began before an instant, and the earliest beyond the bound', async () => {
    const store = await openForTest(open);
    const networks = async (): Promise<string[]> =>
      (await store.refusals.listRefusals(0)).map(({ network }) => network);
    for (const lastAt of [1, 2, 3]) {
      await store.refusals.addRefusals([
        refusal(`a${lastAt}`, { lastAt }),
        refusal(`b${lastAt}`, { lastAt }),
      ]);
      store.clock.advance(hourMs);
    }
    await store.refusals.sweepRefusals({ before: 0, rowsMax: 6 });
    expect(await networks()).toHaveLength(6);
    await store.refusals.sweepRefusals({ before: 0, rowsMax: 3 });
    expect(await networks()).toEqual(['a3', 'b3', 'a2', 'b2']);
    const [latest] = await store.refusals.listRefusals(0);
    await store.refusals.sweepRefusals({ before: latest?.at ?? NaN, rowsMax: 100 });
    expect(await networks()).toEqual(['a3', 'b3']);
  });
}
