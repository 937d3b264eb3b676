import { expect, it } from 'vitest';

import { listMutants, writeMutants } from './mutants.mjs';

function changesIn(text: string, file = 'src/smtp/x.ts') {
  return listMutants(file, text).map(({ original, replacement }) => `${original} → ${replacement}`);
}

/** Returns the result of the function in `text` without a mutant, then with each. */
function resultsOf(text: string, ...args: unknown[]): unknown[] {
  const mutants = listMutants('src/smtp/x.ts', text).map((mutant, at) => ({ ...mutant, id: at + 1 }));
  const written = writeMutants(text, mutants, './switch.ts').replace(/^import [^;]*;/, 'return');
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- runs the code under test
  const create = new Function('isMutant$', written) as (
    isOn: (id: number) => boolean,
  ) => (...args: unknown[]) => unknown;
  return [0, ...mutants.map(({ id }) => id)].map((on) => create((id) => id === on)(...args));
}

it('changes conditions, operators, numbers, results, texts and calls', () => {
  expect(changesIn("if (a < 5 && is(b)) run(); else x = c === 'd' ? 1 : y;")).toEqual([
    'a < 5 && is(b) → true',
    'a < 5 && is(b) → false',
    'a < 5 && is(b) → !(a < 5 && is(b))',
    'a < 5 && is(b) → ((a < 5) || (is(b)))',
    'a < 5 → ((a) <= (5))',
    '5 → (5 + 1)',
    '5 → (5 - 1)',
    'run() → undefined',
    "c === 'd' → true",
    "c === 'd' → false",
    "c === 'd' → ((c) !== ('d'))",
    "'d' → ''",
    '1 → (1 + 1)',
    '1 → (1 - 1)',
  ]);
  expect(changesIn('async () => { await stop(); return total - 1; }')).toContain('await stop() → undefined');
  expect(changesIn('for (let i = from; i < to; i++) {}')).toContain('i < to → false');
});

it('leaves alone what decides nothing: types, names, imports, prose, what is logged or thrown', () => {
  expect(changesIn("import { a } from 'b'; type C = 'd' | 5; let e: 'f' = g;")).toEqual([]);
  expect(changesIn("throw new MayflyError('a', `b`);")).toEqual([]);
  expect(changesIn("this.#log.error('smtp.failed', { error });")).toEqual([
    "this.#log.error('smtp.failed', { error }) → undefined",
  ]);
  expect(changesIn("const a = { 250: 'two words', b: 60_000 };")).toEqual([]);
  expect(changesIn("const a = sql('message');", 'src/store/sqlite/x.ts')).toEqual([]);
  expect(changesIn("const a = 'text' + b;")).toEqual(["'text' → ''"]);
});

it('writes mutants, also one inside the other, so that exactly the one that is on takes effect', () => {
  expect(resultsOf('(a, b) => (a || b ? a + b : 0)', 2, 3)).toEqual([
    5, // without a mutant
    undefined,
    5, // always true
    0, // always false
    0, // negated
    5, // a && b
    -1, // a - b
    5,
    5,
  ]);
});
