import { describe, expect, it } from 'vitest';

import { createRandom } from '../../../../test/support/random.ts';
import { LineEndCheck } from '../engine/smtp-transaction.ts';

function check(...pieces: readonly string[]): boolean {
  const lineEnds = new LineEndCheck();
  for (const piece of pieces) lineEnds.push(Buffer.from(piece));
  return lineEnds.hasBareLineEnd;
}

describe('LineEndCheck', () => {
  it.each(['', 'a', 'a\r\n', '\r\n', 'a\r\nb\r\n\r\n'])('%j is whole, wherever it is cut', (text) => {
    for (let at = 0; at <= text.length; at++) {
      expect(check(text.slice(0, at), '', text.slice(at))).toBe(false);
    }
  });

  it.each(['\n', '\r', 'a\nb', 'a\rb', 'a\r', '\r\r\n', '\r\n\n', 'a\r\n\r', '\n\r\n'])(
    '%j is not, wherever it is cut',
    (text) => {
      for (let at = 0; at <= text.length; at++) {
        expect(check(text.slice(0, at), '', text.slice(at))).toBe(true);
      }
    },
  );

  it('agrees with a regular expression on random text (seed 3030)', () => {
    const random = createRandom(3030);
    for (let round = 0; round < 5000; round++) {
      const pieces = Array.from({ length: random.below(4) }, () =>
        Array.from({ length: random.below(5) }, () => random.pick(['\r', '\n', '\r\n', 'a'])).join(''),
      );
      expect(check(...pieces), JSON.stringify(pieces)).toBe(/\r(?!\n)|(?<!\r)\n/.test(pieces.join('')));
    }
  });
});
