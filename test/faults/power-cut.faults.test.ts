// R2: a power cut. What the disk holds then is what was synced before, to the byte and no more (faulty-disk.c). The
// same test has to see messages lost by a service that syncs less, or it shows nothing.

import { describe, expect, it, onTestFinished } from 'vitest';

import {
  type Alteration,
  createAlteredBuild,
  writesByThread,
  writesWithoutThread,
} from '../support/altered-build.ts';
import { report, scaled } from '../support/fault-scale.ts';
import { createFaultyDisk } from '../support/faulty-disk.ts';
import { compare, countAcknowledged, openLedgers, sendAll, unlimited } from '../support/ledger.ts';
import { type MayflyProcess, startMayfly } from '../support/mayfly-process.ts';
import { createRandom, freshSeed } from '../support/random.ts';

const seed = freshSeed();

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

/** Cuts the power once so many messages are acknowledged, and looks at what is left with a sound service. */
async function cutPower(buildDir: string, enough: number, roundSeed: number): Promise<Cut> {
  const disk = await createFaultyDisk();
  const mayfly = await start(disk.dataDir, { ...unlimited, ...disk.settings }, { buildDir });
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
      // Without its last commits the store may not even know the session.
      expect(String(error)).toMatch(/check-mail: .*"unknown_token"/);
      return { lost: [...ledger.acknowledged], foreign: [] };
    });
    cut.lost += lost.length;
    cut.foreign += foreign.length;
  }
  expect(await survivor.stop()).toBe(0);
  return cut;
}

const builds = [
  ['the service’s thread writes', [writesWithoutThread], { file: 'store/sqlite/wal-sync.js', ...unsynced() }],
  [
    'a thread of their own writes',
    [writesByThread],
    { file: 'store/sqlite/delivery-worker.mjs', from: 'fdatasyncSync(log)', to: 'undefined' },
  ],
] as const;

/** It answers before the WAL is synced. */
function unsynced(): Omit<Alteration, 'file'> {
  return { from: 'fdatasync(this.#descriptor, callback)', to: 'setImmediate(callback, null)' };
}

describe.each(builds)('deliveries that %s', (_, alterations, mutation) => {
  it(`are there after a power cut once they are acknowledged (FUZZ_SEED=${seed})`, async () => {
    const random = createRandom(seed);
    const buildDir = await createAlteredBuild(alterations);
    const rounds = scaled(2, 50);
    let acknowledged = 0;
    for (let round = 0; round < rounds; round++) {
      const cut = await cutPower(buildDir, 100 + random.below(400), random.below(2 ** 32));
      expect(cut).toMatchObject({ lost: 0, foreign: 0 });
      acknowledged += cut.acknowledged;
    }
    report('R2 power cut', { cuts: rounds, acknowledged, lost: 0 });
    expect(acknowledged).toBeGreaterThan(100 * rounds);
  });

  it('are lost by a service that does not wait for the disk', async () => {
    const cut = await cutPower(await createAlteredBuild([...alterations, mutation]), 200, seed);
    report('R2 mutant without sync', { acknowledged: cut.acknowledged, lost: cut.lost });
    expect(cut.lost).toBeGreaterThan(0);
  });
});
