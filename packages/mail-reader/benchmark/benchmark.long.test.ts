// The results in results.json are those of this code: else run `npm run bench:codes`.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { measure } from './measure.ts';

it('measures what results.json says', () => {
  const committed: unknown = JSON.parse(readFileSync(new URL('results.json', import.meta.url), 'utf8'));
  expect(measure()).toEqual(committed);
});
