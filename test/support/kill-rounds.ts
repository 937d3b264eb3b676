// `kill -9` in the middle of ingest, again and again on one data folder: what was acknowledged must be there after
// the restart, whole, and what is there must be something that was sent.

import { expect, onTestFinished } from 'vitest';

import { countAcknowledged, expectWhole, type Ledger, openLedgers, sendAll, unlimited } from './ledger.ts';
import { type MayflyProcess, startMayfly } from './mayfly-process.ts';
import { createRandom, type Random } from './random.ts';

/** Kills the service once so many messages are acknowledged. */
async function ingestAndKill(mayfly: MayflyProcess, random: Random): Promise<Ledger[]> {
  const ledgers = await openLedgers(mayfly, 4);
  const enough = 50 + random.below(150);
  const watch = setInterval(() => {
    if (countAcknowledged(ledgers) >= enough) mayfly.child.kill('SIGKILL');
  }, 1);
  try {
    await sendAll(mayfly, ledgers, { random, isOver: () => false });
  } finally {
    clearInterval(watch);
  }
  expect(await mayfly.stop('SIGKILL')).toBe('SIGKILL');
  return ledgers;
}

/** Ends with the test, whatever becomes of it. */
async function start(dataDir: string): Promise<MayflyProcess> {
  const mayfly = await startMayfly(dataDir, unlimited);
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return mayfly;
}

/** Returns how many messages were acknowledged in all. */
export async function killDuringIngest(dataDir: string, rounds: number, seed: number): Promise<number> {
  const random = createRandom(seed);
  const ledgers: Ledger[] = [];
  for (let round = 0; round < rounds; round++) {
    const fresh = await ingestAndKill(await start(dataDir), random);
    ledgers.push(...fresh);
    const restarted = await start(dataDir);
    for (const ledger of round === rounds - 1 ? ledgers : fresh) await expectWhole(restarted, ledger);
    expect(await restarted.stop()).toBe(0);
  }
  return countAcknowledged(ledgers);
}
