// R2: a power cut. The disk then holds what was synced before, to the byte and no more (faulty-disk.c). The same test
// must see messages lost by a service that syncs less, or it proves nothing.

import { expect, it, onTestFinished } from 'vitest';

import { createAlteredBuild } from '../support/service/altered-build.ts';
import { report, scaled } from '../support/faults/fault-scale.ts';
import { createFaultyDisk } from '../support/faults/faulty-disk.ts';
import { compare, countAcknowledged, openLedgers, sendAll, unlimited } from '../support/faults/ledger.ts';
import { type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { createRandom, fuzzSeed } from '../support/random.ts';

const seed = fuzzSeed();

interface Cut {
  readonly acknowledged: number;
  readonly lost: number;
  readonly foreign: number;
}

async function start(...args: Parameters<typeof startMayfly>): Promise<MayflyProcess> {
  const mayfly = await startMayfly(...args);
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return mayfly;
}

/** Cuts the power once this many messages are acknowledged, and inspects the remains with a sound service. */
async function cutPower(enough: number, roundSeed: number, buildDir?: string): Promise<Cut> {
  const disk = await createFaultyDisk();
  const settings = { ...unlimited, ...disk.settings };
  const mayfly = await start(disk.dataDir, settings, buildDir === undefined ? {} : { buildDir });
  const ledgers = await openLedgers(mayfly, 2);
  const watch = setInterval(() => {
    if (countAcknowledged(ledgers) >= enough) mayfly.child.kill('SIGKILL');
  }, 1);
  await sendAll(mayfly, ledgers, { random: createRandom(roundSeed), isOver: () => false });
  clearInterval(watch);
  await mayfly.stop('SIGKILL');
  const survivor = await start(await disk.afterPowerCut(), unlimited);
  const cut = { acknowledged: countAcknowledged(ledgers), lost: 0, foreign: 0 };
  for (const ledger of ledgers) {
    const { lost, foreign } = await compare(survivor, ledger).catch((error: unknown) => {
      // Without its last commits the store may have lost the session itself.
      expect(String(error)).toMatch(/check-mail: .*"unknown_token"/);
      return { lost: [...ledger.acknowledged], foreign: [] };
    });
    cut.lost += lost.length;
    cut.foreign += foreign.length;
  }
  expect(await survivor.stop()).toBe(0);
  return cut;
}

/** Acknowledges before the WAL is synced. */
const unsynced = {
  file: 'packages/group-commit/src/writer.js',
  from: 'fdatasync(this.#descriptor, callback)',
  to: 'setImmediate(callback, null)',
};

it(`acknowledged deliveries survive a power cut (FUZZ_SEED=${seed})`, async () => {
  const random = createRandom(seed);
  const rounds = scaled(1, 50);
  let acknowledged = 0;
  for (let round = 0; round < rounds; round++) {
    const cut = await cutPower(100 + random.below(scaled(100, 400)), random.below(2 ** 32));
    expect(cut).toMatchObject({ lost: 0, foreign: 0 });
    acknowledged += cut.acknowledged;
  }
  report('R2 power cut', { cuts: rounds, acknowledged, lost: 0 });
  expect(acknowledged).toBeGreaterThan(100 * rounds);
});

it('deliveries are lost by a service that does not wait for the disk', async () => {
  const cut = await cutPower(200, seed, await createAlteredBuild([unsynced]));
  report('R2 mutant without sync', { acknowledged: cut.acknowledged, lost: cut.lost });
  expect(cut.lost).toBeGreaterThan(0);
});
