import { describe, expect, it } from 'vitest';

import { isGoodEnough, toFigure } from './figure.ts';
import { formatTable } from './format-table.ts';

const named = { title: 'SMTP', shape: 'some', unit: '/s' };

describe('toFigure', () => {
  it('is good enough from the wanted ratio on, whichever driver', () => {
    const good = toFigure({ ...named, id: 'smtp-4k-100/smtp-source', service: [45], floor: [100] });
    const bad = toFigure({ ...named, id: 'smtp-4k-100/own-driver', service: [44], floor: [100] });
    expect([isGoodEnough(good), isGoodEnough(bad)]).toEqual([true, false]);
  });

  it('judges nothing where nothing is wanted', () => {
    expect(
      isGoodEnough(toFigure({ ...named, id: 'create-session', service: [1], floor: [9] })),
    ).toBeUndefined();
  });

  it('is good enough up to the wanted most', () => {
    const of = (value: number) => toFigure({ ...named, id: 'event-latency-p99', service: [value] });
    expect([of(20), of(20.1)].map(isGoodEnough)).toEqual([true, false]);
    expect(formatTable([of(21)])).toContain('≤ 20/s MISSED');
  });

  it('judges what a person waits for by its ratio to the floor', () => {
    const of = (value: number) =>
      toFigure({ ...named, id: 'felt-start-p99', service: [value], floor: [100] });
    expect([of(400), of(401)].map(isGoodEnough)).toEqual([true, false]);
    expect(formatTable([of(500)])).toContain('≤ 200/s, by ratio ≤ 4 MISSED');
  });

  it('fails a wanted ratio that has no floor', () => {
    expect(isGoodEnough(toFigure({ ...named, id: 'check-mail', service: [1] }))).toBe(false);
  });
});

describe('formatTable', () => {
  it('shows medians with their spread, the ratio and the verdict', () => {
    const table = formatTable([
      toFigure({ ...named, id: 'smtp-75k-20/x', service: [900, 1000, 1200], floor: [4000, 4000, 4000] }),
    ]);
    expect(table.split('\n')[2]?.replaceAll(/ +/g, ' ')).toBe(
      '| SMTP | some | 1,000/s (900–1,200) | 4,000/s | 0.25 (0.23–0.30) | ≥ 0.35 MISSED |',
    );
  });

  it('marks a floor at which our own driver was the brake', () => {
    const figure = toFigure({ ...named, id: 'y', service: [1], floor: [2], driverLoad: 0.97 });
    expect(formatTable([figure])).toMatch(/2\.00\/s \*/);
  });
});
