// Whether a patient prober can tell unused addresses from lent ones by time: thousands of replies of each kind, in
// random order, compared by their ranks.

import { expect, it } from 'vitest';

import { createLive } from '../contract/store-fixture.ts';
import { createRandom } from '../support/random.ts';
import { compareRanks } from '../support/rank-sum.ts';
import { startSmtp } from '../support/smtp/smtp-fixture.ts';

const rounds = 4000;
const seed = 3;

it('compares by ranks: equal, shifted and tied', () => {
  const random = createRandom(seed);
  const draw = (shift: number): number[] => Array.from({ length: 500 }, () => random.below(1000) + shift);
  expect(Math.abs(compareRanks(draw(0), draw(0)).z)).toBeLessThan(4);
  expect(compareRanks(draw(200), draw(0)).z).toBeGreaterThan(7);
  expect(compareRanks([1, 1], [1, 1])).toEqual({ superiority: 0.5, z: 0 });
  expect(compareRanks([3, 4], [1, 2]).superiority).toBe(1);
});

it.each([
  { kind: 'addresses', local: ['nobody', 'ended', 'resting'], at: ['rest.test', 'mayfly.test', 'rest.test'] },
  {
    kind: 'labels of capture sessions',
    local: ['*', '*', '*'],
    at: ['nbdynbdy.rest.test', 'endedend.mayfly.test', 'restrest.rest.test'],
  },
])(
  'unknown, ended and quarantined $kind take the same time',
  { timeout: 120_000 },
  async ({ local, at: domains }) => {
    const fixture = await startSmtp();
    const { store } = fixture;
    await store.directory.addDomain('rest.test', 30 * 86_400_000, 0);
    const kinds = local.map((name, at) => `${name}@${domains[at]}`);
    for (const address of kinds.slice(1)) {
      await store.mail.endSession((await createLive(store, { address })).key);
    }
    const client = await fixture.greet();
    await client.command('MAIL FROM:<a@b.test>');
    const random = createRandom(seed);
    const times: number[][] = kinds.map(() => []);
    for (let count = 0; count < rounds * kinds.length; count++) {
      const at = random.below(kinds.length);
      const startedAt = performance.now();
      await client.command(`RCPT TO:<${kinds[at] ?? ''}>`);
      // The first ones run code that is not yet compiled.
      if (count >= rounds) times[at]?.push(performance.now() - startedAt);
    }
    for (const [one, other] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const { superiority, z } = compareRanks(times[one] ?? [], times[other] ?? []);
      expect(Math.abs(superiority - 0.5), `${one} and ${other}: ${superiority}, z ${z}`).toBeLessThan(0.06);
    }
  },
);
