import { describe, expect, it } from 'vitest';
import { matchHead, parseSearchCriteria } from './search-criteria.ts';

function parse(value: unknown) {
  return parseSearchCriteria(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));
}

const head = {
  senders: ['ann@shop.example', 'bounce@shop.example'],
  recipients: ['fox@abcdefgh.mayfly.test', 'hidden@abcdefgh.mayfly.test'],
  subject: 'Your order is on its way',
};

describe('criteria', () => {
  it('are what is neither null nor empty', () => {
    expect(parse({ sentFrom: null, sentTo: '', subject: 'Hello', body: null, match: 'ALL' })).toEqual({
      subject: 'Hello',
      matchesAny: false,
    });
  });

  it.each([
    ['{', 'body'],
    ['', 'body'],
    ['[]', 'body'],
    ['"x"', 'body'],
    [{}, 'criteria'],
    [{ match: 'ANY' }, 'criteria'],
    [{ subject: 1 }, 'subject'],
    [{ sentTo: ['a@b.example'] }, 'sentTo'],
    [{ body: 'x'.repeat(1001) }, 'body'],
    [{ subject: 'x', match: 'SOME' }, 'match'],
    [{ subject: 'x', match: 1 }, 'match'],
  ])('%j is refused by name', (given, parameter) => {
    expect(() => parse(given)).toThrow(expect.objectContaining({ code: 'invalid_parameter', parameter }));
  });
});

describe('a head', () => {
  it.each([
    [{ sentFrom: 'ANN@shop.example' }, true],
    [{ sentFrom: 'n@shop.example' }, false],
    [{ sentTo: 'hidden@ABCDEFGH.mayfly.test' }, true],
    [{ sentTo: 'abcdefgh.mayfly.test' }, false],
    [{ subject: 'ORDER  is' }, true],
    [{ subject: 'order', sentFrom: 'x@y.example' }, false],
    [{ subject: 'order', sentFrom: 'x@y.example', match: 'ANY' }, true],
    [{ subject: 'nothing', sentFrom: 'x@y.example', match: 'any' }, false],
    [{ body: 'parcel' }, 'body'],
    [{ body: 'parcel', subject: 'nothing' }, false],
    [{ body: 'parcel', subject: 'order' }, 'body'],
    [{ body: 'parcel', subject: 'order', match: 'ANY' }, true],
    [{ body: 'parcel', subject: 'nothing', match: 'ANY' }, 'body'],
  ])('answers %j with %j', (given, expected) => {
    expect(matchHead(parse(given), head)).toBe(expected);
  });
});
