import { expect, it } from 'vitest';

import type { CarriedPairs } from './body.ts';
import { GivenParameters } from './given-parameters.ts';
import type { ParameterTable } from '../../values/src/parameter.ts';

const table = {
  id: { kind: 'int', min: 1, max: 100, required: true, description: '' },
  flag: { kind: 'flag', description: '' },
  name: { kind: 'text', description: '' },
} as const satisfies ParameterTable;

function take(query: string, body: CarriedPairs = []) {
  return new GivenParameters(new Set(Object.keys(table)), query, body).takeAll(table);
}

it('merges query and body', () => {
  expect(take('id=5', [['name', 'a']])).toEqual({ id: 5, flag: undefined, name: 'a' });
});

it('takes one value given twice when both say the same, however they are written', () => {
  expect(take('id=5&id=05&flag=1', [['id', 5], ['flag', true]])).toMatchObject({ id: 5, flag: true }); // prettier-ignore
});

it.each<[string, CarriedPairs]>([
  ['id=5&id=6', []],
  ['id=5', [['id', 6]]],
  ['', [['id', 5], ['id', '6']]], // prettier-ignore
])('refuses two values of one parameter: %s %j', (query, body) => {
  expect(() => take(query, body)).toThrow(
    expect.objectContaining({ code: 'conflicting_parameters', parameter: 'id' }),
  );
});

it('counts an empty value beside a real one as absent', () => {
  expect(take('id=&id=5').id).toBe(5);
});

it('names a required parameter that is absent or empty', () => {
  for (const query of ['', 'id=', 'name=1', 'ID=1']) {
    expect(() => take(query)).toThrow(
      expect.objectContaining({ code: 'missing_parameter', parameter: 'id' }),
    );
  }
});

it('ignores unknown parameters, whatever they hold', () => {
  const body: CarriedPairs = [['other', { deep: [] }], ['__proto__', { id: 9 }], ['constructor', 1]]; // prettier-ignore
  expect(take('id=1&x=%ZZ&%ZZ=1&__proto__=1&toString', body)).toEqual({
    id: 1,
    flag: undefined,
    name: undefined,
  });
});

it('refuses a known parameter whose percent-encoding is broken or not UTF-8', () => {
  for (const query of ['id=1&name=%ZZ', 'id=1&name=%ff', 'id=1&name=%']) {
    expect(() => take(query)).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', parameter: 'name' }),
    );
  }
});

it('decodes names and values of a query', () => {
  expect(take('%69d=1&name=a+b%26%C3%A4').name).toBe('a b&ä');
});
