import { describe, expect, it } from 'vitest';
import { readUnsubscribe } from './unsubscribe.ts';

const of = (value: string, post?: string) =>
  readUnsubscribe([
    { name: 'List-Unsubscribe', value },
    ...(post === undefined ? [] : [{ name: 'list-unsubscribe-post', value: post }]),
  ]);

describe('readUnsubscribe', () => {
  it('finds the first web and mail address', () => {
    expect(of('<mailto:u@l.test?subject=x>, <https://l.test/u?1>, <https://l.test/2>')).toEqual({
      url: 'https://l.test/u?1',
      mailto: 'mailto:u@l.test?subject=x',
      oneClick: false,
    });
  });

  it('reports one-click only with its own field and an https URL (RFC 8058)', () => {
    expect(of('<https://l.test/u>', 'List-Unsubscribe=One-Click').oneClick).toBe(true);
    expect(of('<http://l.test/u>', 'List-Unsubscribe=One-Click').oneClick).toBe(false);
    expect(of('<mailto:u@l.test>', 'List-Unsubscribe=One-Click').oneClick).toBe(false);
    expect(of('<https://l.test/u>', 'yes').oneClick).toBe(false);
  });

  it('joins folded URLs and omits comments', () => {
    expect(of('(use this) <https://l.test/\t u>').url).toBe('https://l.test/u');
  });

  it('returns nothing for other schemes, missing brackets or a missing field', () => {
    const none = { url: null, mailto: null, oneClick: false };
    expect(of('<javascript:alert(1)>, <data:x,y>')).toEqual(none);
    expect(of('https://l.test/u')).toEqual(none);
    expect(of('<https://l.test/u')).toEqual(none);
    expect(readUnsubscribe([])).toEqual(none);
  });
});
