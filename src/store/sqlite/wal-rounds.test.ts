import { expect, it } from 'vitest';

import { WalRounds } from './wal-rounds.ts';

/** A WAL that grows by a frame a millisecond, looked at each second, and starts anew past a thousand frames. */
function open(): WalRounds {
  const rounds = new WalRounds(0, false);
  rounds.see(1000, 1000);
  return rounds;
}

it('knows that nothing older is left once the next round has come as far', () => {
  const rounds = open();
  rounds.ask(1000);
  rounds.see(1500, 1500);
  expect(rounds.isOverwritten).toBe(false);
  rounds.see(700, 2500);
  expect(rounds.isOverwritten).toBe(false);
  rounds.see(1499, 2800);
  expect(rounds.isOverwritten).toBe(false);
  rounds.see(1500, 2900);
  expect(rounds.isOverwritten).toBe(true);
  rounds.settle();
  expect([rounds.isOverwritten, rounds.erasure]).toEqual([false, undefined]);
});

it('draws a round out to where an earlier one came', () => {
  const rounds = open();
  rounds.see(1800, 1800);
  rounds.see(100, 2000);
  rounds.ask(2000);
  expect(rounds.target(1000)).toBe(1000);
  rounds.see(50, 3000);
  expect(rounds.target(1000)).toBe(1800);
});

it('counts from the latest question and keeps the time of the first', () => {
  const rounds = open();
  rounds.ask(1000);
  rounds.see(500, 2000);
  rounds.ask(2100);
  rounds.see(1000, 2500);
  expect(rounds.isOverwritten).toBe(false);
  expect(rounds.erasure).toMatchObject({ since: 1000, isNextRound: false });
});

it('tells when so many frames are there, from a whole second’s pace', () => {
  const rounds = open();
  expect(rounds.msUntil(3000)).toBe(2000);
  rounds.see(1100, 1010);
  expect(rounds.msUntil(1100)).toBe(0);
  expect(rounds.msUntil(2100)).toBe(1000);
  expect(new WalRounds(0, false).msUntil(1)).toBe(Infinity);
});

it('knows nothing of a file that was there before, until it is cut', () => {
  const rounds = new WalRounds(0, true);
  rounds.see(10, 1000);
  rounds.ask(1000);
  expect(rounds.erasure?.frames).toBe(Infinity);
  rounds.clear();
  rounds.ask(2000);
  expect(rounds.erasure?.frames).toBe(0);
});
