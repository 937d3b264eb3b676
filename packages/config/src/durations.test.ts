// Over every setting that is a time, so that a new one is written and shown like the others.

import { expect, it } from 'vitest';

import { parseDuration } from '../../values/src/duration.ts';
import { loadConfig } from './load-config.ts';
import { describeSettings } from './settings-in-force.ts';
import { settings } from './settings.ts';

const isTime = ({ name }: { readonly name: string }): boolean => /_(?:SECONDS|MS)$/.test(name);
const times = settings.filter(isTime);
const written = /^(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?$|^\d+ms$/;

function shownOf(name: string, value: string): string | undefined {
  const sources = { environment: { [name]: value }, others: new Map(), file: '' } as const;
  return describeSettings(sources).find((one) => one.name === name)?.value;
}

it('has its unit in the name of each setting that is described as a time', () => {
  const described = /^(?:time|interval|lifetime|silence|how long|shortest|longest|age)\b/i;
  expect(settings.filter((one) => described.test(one.description) && !isTime(one))).toEqual([]);
  expect(times.length).toBeGreaterThan(8);
});

it.each(times.map(({ name, default: fallback, type }) => [name, fallback, type] as const))(
  '%s is read and shown as people write it',
  (name, fallback, type) => {
    const unit = name.endsWith('_MS') ? 1000 : 1;
    const plain = String((parseDuration(fallback) ?? NaN) * unit);
    expect(fallback).toMatch(written);
    expect(type).toMatch(/duration such as \S+.* from \d+\w+ to \d+\w+$/);
    // In its own unit, as written, and in another form.
    for (const given of [plain, fallback, fallback.toUpperCase(), ` ${fallback} `]) {
      loadConfig({ [name]: given });
      expect(shownOf(name, given.trim())).toBe(fallback);
    }
    expect(shownOf(name, '')).toBe(fallback);
    expect(() => loadConfig({ [name]: '99999d' })).toThrow(`${name} must be ${type}, but is "99999d".`);
  },
);
