import { expect, it } from 'vitest';

import { WalRounds } from './wal-rounds.ts';

/** A WAL that grows by a frame a millisecond, looked at each second, and starts anew past a thousand frames. */
function open(): WalRounds {
  const rounds = new WalRounds(0, false);
  look(rounds, 1000, 1000);
  return rounds;
}

function look(rounds: WalRounds, frames: number, now: number): void {
  rounds.begin();
  rounds.see(frames, now);
}

it('knows that nothing older is left once the next round has come as far', () => {
  const rounds = open();
  rounds.ask(1000);
  look(rounds, 1500, 1500);
  expect(rounds.isOverwritten).toBe(false);
  look(rounds, 700, 2500);
  expect(rounds.isOverwritten).toBe(false);
  look(rounds, 1499, 2800);
  expect(rounds.isOverwritten).toBe(false);
  look(rounds, 1500, 2900);
  expect(rounds.isOverwritten).toBe(true);
  rounds.settle();
  expect([rounds.isOverwritten, rounds.erasure]).toEqual([false, undefined]);
});

it('draws a round out to where an earlier one came', () => {
  const rounds = open();
  look(rounds, 1800, 1800);
  look(rounds, 100, 2000);
  rounds.ask(2000);
  look(rounds, 110, 2001);
  expect(rounds.target(1000)).toBe(1000);
  look(rounds, 50, 3000);
  expect(rounds.target(1000)).toBe(1800);
});

it('counts from the latest question and keeps the time of the first', () => {
  const rounds = open();
  rounds.ask(1000);
  look(rounds, 500, 2000);
  rounds.ask(2100);
  look(rounds, 1000, 2500);
  expect(rounds.isOverwritten).toBe(false);
  expect(rounds.erasure).toMatchObject({ since: 1000, isNextRound: false });
});

it('does not take a start that may have been before the question for one after it', () => {
  const rounds = open();
  // Complete at 1000: the next write starts anew. 300 frames later, what must go is among them.
  rounds.ask(1300);
  look(rounds, 300, 1301);
  look(rounds, 1000, 2000);
  expect(rounds.isOverwritten).toBe(false);
  look(rounds, 200, 3000);
  look(rounds, 1000, 4000);
  expect(rounds.isOverwritten).toBe(true);
});

it('learns nothing of the question from a look that had begun before it', () => {
  const rounds = open();
  rounds.begin();
  rounds.ask(1500);
  rounds.see(1500, 1501);
  // Started anew before or after the question.
  look(rounds, 200, 2000);
  look(rounds, 1500, 3500);
  expect(rounds.isOverwritten).toBe(false);
  look(rounds, 100, 4000);
  look(rounds, 1500, 5500);
  expect(rounds.isOverwritten).toBe(true);
});

it('tells when so many frames are there, from a whole second’s pace', () => {
  const rounds = open();
  expect(rounds.msUntil(3000)).toBe(2000);
  look(rounds, 1100, 1010);
  expect(rounds.msUntil(1100)).toBe(0);
  expect(rounds.msUntil(2100)).toBe(1000);
  expect(new WalRounds(0, false).msUntil(1)).toBe(Infinity);
});

it('knows nothing of a file that was there before, until it is cut', () => {
  const rounds = new WalRounds(0, true);
  look(rounds, 10, 1000);
  rounds.ask(1000);
  expect(rounds.erasure?.frames).toBe(Infinity);
  rounds.clear();
  rounds.ask(2000);
  expect(rounds.erasure?.frames).toBe(0);
});
