import { describe, expect, it } from 'vitest';

import { KnownSessions } from './known-sessions.ts';

interface Row {
  readonly key: Uint8Array;
  readonly address: string;
}

const keyOf = (byte: number): Uint8Array => new Uint8Array(16).fill(byte);
const rowOf = (byte: number, address = `${byte}@mayfly.test`): Row => ({ key: keyOf(byte), address });
const createKnown = (): KnownSessions<Row> => new KnownSessions(({ address }) => address);

describe('a row that was added', () => {
  it('is found by its own key, by an equal one and by its address', () => {
    const known = createKnown();
    const row = rowOf(1);
    known.add(row);
    expect(known.findByKey(row.key)).toBe(row);
    expect(known.findByKey(keyOf(1))).toBe(row);
    expect(known.findByAddress('1@mayfly.test')).toBe(row);
    expect(known.findByKey(keyOf(2))).toBeUndefined();
  });

  it('is found by nothing once it is forgotten, or all are', () => {
    const known = createKnown();
    const [one, two] = [rowOf(1), rowOf(2)];
    known.add(one);
    known.add(two);
    known.forget(one);
    expect([known.findByKey(one.key), known.findByKey(keyOf(1)), known.findByAddress(one.address)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(known.findByKey(two.key)).toBe(two);
    known.clear();
    expect([known.findByKey(two.key), known.findByAddress(two.address)]).toEqual([undefined, undefined]);
  });

  it('gives way to one read later, and the older key finds the newer row', () => {
    const known = createKnown();
    const [older, newer] = [rowOf(1), rowOf(1)];
    known.add(older);
    known.add(newer);
    expect(known.findByKey(older.key)).toBe(newer);
    known.forget(older);
    expect([known.findByKey(older.key), known.findByKey(newer.key)]).toEqual([undefined, undefined]);
  });

  it('is not found by an address that its session gave up for another', () => {
    const known = createKnown();
    const renamed = rowOf(1, 'after@mayfly.test');
    known.add(rowOf(1, 'before@mayfly.test'));
    known.add(renamed);
    expect(known.findByAddress('before@mayfly.test')).toBeUndefined();
    expect(known.findByAddress('after@mayfly.test')).toBe(renamed);
  });

  it('leaves its address to the session that holds it now', () => {
    const known = createKnown();
    const [before, now] = [rowOf(1, 'one@mayfly.test'), rowOf(2, 'one@mayfly.test')];
    known.add(before);
    known.add(now);
    known.forget(before);
    expect(known.findByAddress('one@mayfly.test')).toBe(now);
  });
});

it('20,000 are kept, those added last', () => {
  const known = createKnown();
  const rows = Array.from({ length: 20_001 }, (_, index) => ({
    key: new Uint8Array(new Uint32Array([index, 0, 0, 0]).buffer),
    address: `${index}@mayfly.test`,
  }));
  for (const row of rows) known.add(row);
  expect(known.findByKey(rows[0]?.key ?? keyOf(0))).toBeUndefined();
  expect(known.findByKey(rows[1]?.key ?? keyOf(0))).toBe(rows[1]);
  expect(known.oldest).toBe(rows[1]);
});
