// Every input in every state, and random dialogues: whatever comes, replies are well formed and carry their codes.

import { describe, expect, it } from 'vitest';

import {
  createFuzzPeer,
  expectReplies,
  expectSameHoweverCut,
  inputs,
  playRandom,
  states,
} from '../../../test/support/smtp/engine-fuzz.ts';
import { fuzzSeed, fuzzTime } from '../../../test/support/random.ts';

const fuzzMs = fuzzTime(2000);

describe.each(Object.entries(states))('%s', (name, opening) => {
  it('every input is answered well or is part of a message', () => {
    for (const first of inputs) {
      for (const second of ['', 'NOOP\r\n', first]) {
        const peer = createFuzzPeer();
        for (const part of [...opening, first, second]) peer.send(Buffer.from(part, 'latin1'));
        expectReplies(peer.takeLines(), `${name}: ${JSON.stringify([first, second])}`);
      }
    }
  });

  it('every command outside a body has one reply', () => {
    const takesBody = /^(?:in |after QUIT)/.test(name);
    for (const input of takesBody ? [] : inputs) {
      const peer = createFuzzPeer();
      for (const part of opening) peer.send(Buffer.from(part, 'latin1'));
      peer.takeLines();
      const replies = peer.say(input).filter((line) => line[3] === ' ');
      const isChunk = !name.startsWith('asked for') && /^BDAT (?:5|2000)/.test(input);
      expect(replies, `${name}: ${JSON.stringify(input)}`).toHaveLength(isChunk ? 0 : 1);
    }
    if (takesBody) expect(opening.length).toBeGreaterThan(0);
  });
});

describe('random dialogues', () => {
  const seed = fuzzSeed();

  it(`are answered well and keep little waiting (FUZZ_SEED=${seed})`, () => {
    const until = performance.now() + fuzzMs;
    let taken = 0;
    // A busy machine plays for longer: it is the dialogues that count.
    for (let next = seed; performance.now() < until || taken <= 10; next++) taken += playRandom(next);
  });

  it(`end the same however they are cut (FUZZ_SEED=${seed})`, () => {
    const until = performance.now() + fuzzMs;
    let played = 0;
    for (let next = seed; performance.now() < until || played < 100; next++, played++) {
      expectSameHoweverCut(next);
    }
  });
});
