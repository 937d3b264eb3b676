// The acceptance test of durability: twenty times `kill -9` on one data folder.

import { expect, it, onTestFinished } from 'vitest';

import { killDuringIngest } from '../support/kill-rounds.ts';
import { createDataFolder } from '../support/mayfly-process.ts';
import { freshSeed } from '../support/random.ts';

const seed = freshSeed();

it(`kill -9 loses nothing that was acknowledged, twenty times over (FUZZ_SEED=${seed})`, async () => {
  const folder = await createDataFolder();
  onTestFinished(folder.remove);
  expect(await killDuringIngest(folder.path, 20, seed)).toBeGreaterThan(1000);
});
