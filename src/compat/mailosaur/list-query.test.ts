import { describe, expect, it } from 'vitest';
import { parseListQuery } from './list-query.ts';

const server = 'abcdefgh';

function parse(query: string) {
  return parseListQuery(new URLSearchParams(`server=abcdefgh&${query}`), server);
}

describe('parseListQuery', () => {
  it('takes the first 50 received messages when nothing is said', () => {
    expect(parse('')).toEqual({ page: 0, itemsPerPage: 50, receivedAfter: undefined, wantsSent: false });
  });

  it.each([
    ['2026-11-22T15:00:00Z', '2026-11-22T15:00:00Z'],
    ['2026-11-22T15:00:00.250Z', '2026-11-22T15:00:00.250Z'],
    ['2026-11-22T16:00:00%2B01:00', '2026-11-22T15:00:00Z'],
    ['2026-11-22T16:00:00+01:00', '2026-11-22T15:00:00Z'],
    ['2026-11-22T12:00:00-03:00', '2026-11-22T15:00:00Z'],
    ['2026-11-22%2015:00:00', '2026-11-22T15:00:00Z'],
    ['2026-11-22', '2026-11-22T00:00:00Z'],
    ['1795359600000', '2026-11-22T15:00:00Z'],
    ['0', '1970-01-01T00:00:00Z'],
  ])('reads receivedAfter=%s', (given, expected) => {
    expect(parse(`receivedAfter=${given}`).receivedAfter).toBe(Date.parse(expected));
  });

  it.each([
    ['page=-1', 'page'],
    ['page=x', 'page'],
    ['itemsPerPage=0', 'itemsPerPage'],
    ['itemsPerPage=1001', 'itemsPerPage'],
    ['itemsPerPage=1e3', 'itemsPerPage'],
    ['receivedAfter=yesterday', 'receivedAfter'],
    ['receivedAfter=2026-13-40T00:00:00Z', 'receivedAfter'],
    ['dir=Sideways', 'dir'],
  ])('refuses %s by name', (query, parameter) => {
    expect(() => parse(query)).toThrow(expect.objectContaining({ code: 'invalid_parameter', parameter }));
  });

  it('knows its own server only, in any case', () => {
    const of = (query: string) => () => parseListQuery(new URLSearchParams(query), server);
    expect(of('server=ABCDEFGH')).not.toThrow();
    expect(of('server=zzzzzzzz')).toThrow(expect.objectContaining({ code: 'not_found' }));
    expect(of('')).toThrow(expect.objectContaining({ code: 'invalid_parameter', parameter: 'server' }));
  });
});
