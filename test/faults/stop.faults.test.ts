// R17: SIGTERM under load, repeatedly: nothing lost, nothing twice, status 0, within the time a message may take.

import { expect, it } from 'vitest';

import { atMost, report, scaled } from '../support/faults/fault-scale.ts';
import {
  countAcknowledged,
  expectWhole,
  type Ledger,
  openLedgers,
  sendAll,
  unlimited,
} from '../support/faults/ledger.ts';
import { createRandom, fuzzSeed } from '../support/random.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { percentile99, startUnderFault } from '../support/faults/service-under-fault.ts';

const seed = fuzzSeed();
const rounds = scaled(2, 50);

it(`${rounds} SIGTERMs under load (FUZZ_SEED=${seed})`, { timeout: 1_800_000 }, async () => {
  const random = createRandom(seed);
  const dataDir = await useDataFolder();
  const all: Ledger[] = [];
  const [starts, stops]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    const mayfly = await startUnderFault(unlimited, dataDir);
    starts.push(performance.now() - startedAt);
    const ledgers = await openLedgers(mayfly, 2);
    all.push(...ledgers);
    let isOver = false;
    const sending = sendAll(mayfly, ledgers, { random, isOver: () => isOver });
    // By count, so that a busy machine has load as well.
    const enough = 20 + random.below(200);
    await expect
      .poll(() => countAcknowledged(ledgers), { timeout: 60_000, interval: 2 })
      .toBeGreaterThan(enough);
    const stoppedAt = performance.now();
    expect(await mayfly.stop('SIGTERM')).toBe(0);
    stops.push(performance.now() - stoppedAt);
    isOver = true;
    await sending;
  }
  const last = await startUnderFault(unlimited, dataDir);
  for (const ledger of all) {
    await expectWhole(last, ledger);
    // An acknowledged message is there once.
    expect((await last.checkMail(ledger.lent.token)).length).toBeLessThanOrEqual(ledger.sent.size);
  }
  const acknowledged = countAcknowledged(all);
  report('R17 SIGTERM', {
    rounds,
    acknowledged,
    lost: 0,
    'stop p99 ms': percentile99(stops),
    'start p99 ms': percentile99(starts),
  });
  expect(acknowledged).toBeGreaterThan(20 * rounds);
  expect(percentile99(stops)).toBeLessThan(atMost(30_000));
});
