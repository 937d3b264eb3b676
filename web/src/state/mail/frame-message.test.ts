import { expect, it } from 'vitest';

import { createHeightKeeper, highestFrame, parseFrameMessage } from './frame-message.ts';

it('takes what the script tells', () => {
  for (const message of [
    { kind: 'height', height: 812 },
    { kind: 'link', url: 'https://shop.example/' },
    { kind: 'link', url: '' },
    { kind: 'key', key: 'j' },
    { kind: 'key', key: 'Escape' },
  ]) {
    expect(parseFrameMessage(message)).toEqual(message);
  }
});

it.each([
  [null],
  ['height'],
  [42],
  [{}],
  [[]],
  [{ kind: 'height' }],
  [{ kind: 'height', height: '812' }],
  [{ kind: 'height', height: NaN }],
  [{ kind: 'height', height: -1 }],
  [{ kind: 'height', height: Infinity }],
  [{ kind: 'link', url: 7 }],
  [{ kind: 'link', url: 'x'.repeat(5000) }],
  [{ kind: 'key', key: 'Enter' }],
  [{ kind: 'key', key: '' }],
  [{ kind: 'delete', id: 1 }],
])('takes nothing of another shape: %j', (data) => {
  expect(parseFrameMessage(data)).toBeUndefined();
});

it('leaves nothing in a message but what it names', () => {
  expect(parseFrameMessage({ kind: 'height', height: 1, url: 'x', extra: {} })).toEqual({
    kind: 'height',
    height: 1,
  });
});

it('follows a height up and down, to a limit, and not for ever', () => {
  const keep = createHeightKeeper();
  expect([300.2, 300.2, 120, 1e9].map(keep)).toEqual([301, null, 120, highestFrame]);
  const grow = createHeightKeeper();
  const taken = Array.from({ length: 500 }, (_, at) => grow(at + 1)).filter((height) => height !== null);
  expect(taken.length).toBeLessThan(100);
});
