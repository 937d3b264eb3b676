// `kill -9` in the middle of ingest, repeatedly on one data folder: acknowledged messages must exist after the
// restart, whole, and everything stored must have been sent.

import { expect, onTestFinished } from 'vitest';

import { countAcknowledged, expectWhole, type Ledger, openLedgers, sendAll, unlimited } from './ledger.ts';
import { type MayflyProcess, startMayfly } from '../service/mayfly-process.ts';
import { createRandom, type Random } from '../random.ts';

/** Kills the service once this many messages are acknowledged. */
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

/** Ends with the test in any case. */
async function start(dataDir: string): Promise<MayflyProcess> {
  const mayfly = await startMayfly(dataDir, unlimited);
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return mayfly;
}

/** Returns the number of acknowledged messages. */
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
