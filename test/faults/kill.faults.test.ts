// R1: `kill -9` in the middle of ingest, again and again on one data folder.

import { expect, it } from 'vitest';

import { report, scaled } from '../support/faults/fault-scale.ts';
import { killDuringIngest } from '../support/faults/kill-rounds.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { fuzzSeed } from '../support/random.ts';

const seed = fuzzSeed();

it(`kill -9 loses nothing that was acknowledged (FUZZ_SEED=${seed})`, { timeout: 3_600_000 }, async () => {
  const folder = await useDataFolder();
  const rounds = scaled(2, 200);
  const startedAt = performance.now();
  const acknowledged = await killDuringIngest(folder, rounds, seed);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  report('R1 kill -9', { rounds, acknowledged, lost: 0, seconds });
  expect(acknowledged).toBeGreaterThan(50 * rounds);
});
