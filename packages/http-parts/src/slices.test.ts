import { describe, expect, it } from 'vitest';

import { eachMade, inSlices, writeJson } from './slices.ts';

async function write(thing: object): Promise<unknown> {
  return JSON.parse((await writeJson(thing)).toString());
}

describe('writeJson', () => {
  it.each<[string, object]>([
    ['nothing', {}],
    ['short members', { a: 'b', c: null, d: 1, e: [true], f: { g: '"' } }],
    ['long texts', { a: 'x'.repeat(100_000), b: '\u0001"\\'.repeat(20_000), c: '' }],
    ['long lists', { a: Array.from({ length: 5000 }, (_, i) => ({ i, text: 'é' })) }],
    ['long texts in a list', { a: ['x'.repeat(40_000), { b: 'é' }, '"'.repeat(40_000), null, 1] }],
    ['characters of two units at every place', { a: `x${'😀'.repeat(50_000)}`, b: '😀'.repeat(50_000) }],
  ])('writes %s as JSON.stringify does', async (_, thing) => {
    expect(await write(thing)).toEqual(thing);
  });

  it('leaves out what is undefined, and writes a lone surrogate as U+FFFD', async () => {
    const long = 'x'.repeat(16_383);
    expect(await write({ a: undefined, b: `${long}\ud800${long}` })).toEqual({ b: `${long}\ufffd${long}` });
  });
});

describe('eachMade', () => {
  it.each([0, 1, 500])('is written as the list of %i elements', async (count) => {
    const items = Array.from({ length: count }, (_, i) => i);
    const make = (i: number): object => ({ i, text: 'é'.repeat(100) });
    const written = JSON.parse((await writeJson({ items: eachMade(items, make) })).toString()) as unknown;
    expect(written).toEqual({ items: items.map(make) });
  });

  it('leaves room for others while elements are made', async () => {
    let [made, turns] = [0, 0];
    const count = (): void => {
      turns += 1;
      if (made < 100) setImmediate(count);
    };
    setImmediate(count);
    const items = Array.from({ length: 100 }, (_, i) => i);
    await writeJson(
      eachMade(items, () => {
        made += 1;
        return 'x'.repeat(10_000);
      }),
    );
    expect(made).toBe(100);
    expect(turns).toBeGreaterThan(30);
  });
});

describe('inSlices', () => {
  it('leaves room for others between slices', async () => {
    let [slices, turns] = [0, 0];
    const count = (): void => {
      turns += 1;
      if (slices < 60) setImmediate(count);
    };
    setImmediate(count);
    const made = await inSlices('x'.repeat(1_000_000), (slice) => {
      slices += 1;
      return slice;
    });
    expect(Buffer.concat(made)).toHaveLength(1_000_000);
    expect(turns).toBeGreaterThan(50);
  });
});
