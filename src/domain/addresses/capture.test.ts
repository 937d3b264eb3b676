import { randomBytes } from 'node:crypto';

import { expect, it } from 'vitest';

import {
  captureLabel,
  isCapture,
  ownDomainOf,
  parseCaptureDomain,
  randomLabel,
  toCaptureAddress,
} from './capture.ts';
import { parsePrefix } from './prefix.ts';

it('makes labels of eight characters, each of which may be any, with a letter first', () => {
  const labels = Array.from({ length: 5000 }, () => randomLabel(randomBytes));
  for (const label of labels) expect(label).toMatch(/^[a-hjkmnp-z][a-hjkmnp-z2-9]{7}$/);
  expect(new Set(labels).size).toBe(labels.length);
  for (let place = 0; place < 8; place++) {
    const seen = new Set(labels.map((label) => label[place]));
    expect(seen.size).toBe(place === 0 ? 23 : 31);
  }
});

it('skips bytes that would make some characters likelier', () => {
  const first = 256 - (256 % 23);
  const bytes = [first, 0, 248, ...Array<number>(7).fill(30)];
  expect(randomLabel(() => Uint8Array.from(bytes))).toBe('a9999999');
});

it('makes an address of a label that tells it again', () => {
  const address = toCaptureAddress('greatfax', 'mail.mayfly.test');
  expect(address).toBe('*@greatfax.mail.mayfly.test');
  expect(captureLabel({ address })).toBe('greatfax');
  expect(isCapture({ address })).toBe(true);
  expect(ownDomainOf(address)).toBe('mail.mayfly.test');
});

it('takes no other session for a capture session', () => {
  for (const address of ['fox@mayfly.test', 'fox@greatfax.mayfly.test', 'a.b+c@gmail.com']) {
    expect([isCapture({ address }), captureLabel({ address })]).toEqual([false, undefined]);
  }
  expect(ownDomainOf('fox@mayfly.test')).toBe('mayfly.test');
  expect(ownDomainOf('@mayfly.test')).toBe('mayfly.test');
  expect(() => parsePrefix('*')).toThrow();
});

it('splits a domain that begins as a label does, and no other', () => {
  expect(parseCaptureDomain({ domain: 'greatfax.mayfly.test' })).toEqual({
    label: 'greatfax',
    parent: 'mayfly.test',
  });
  for (const domain of [
    '',
    'greatfax',
    'greatfo.mayfly.test',
    'greatfaxx.mayfly.test',
    '2reatfax.mayfly.test',
    'greatf0x.mayfly.test',
    'greatfil.mayfly.test',
    'greatfoo.mayfly.test',
    'great-fx.mayfly.test',
    'GREATFAX.mayfly.test',
    'a.greatfax.mayfly.test',
    '[127.0.0.1]',
  ]) {
    expect([domain, parseCaptureDomain({ domain })]).toEqual([domain, undefined]);
  }
});
