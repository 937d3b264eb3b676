import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

import { readWithheld } from './delivery/delivery-batch.ts';
import { ownStates } from './own-states.ts';

const folder = fileURLToPath(new URL('functions/', import.meta.url));

it('is raised by the functions of one subject for each cause', () => {
  const raised = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.sql'))
    .flatMap((file) =>
      [...readFileSync(folder + file, 'utf8').matchAll(/ERRCODE = '(\w+)'/g)].map(([, state]) => [
        file,
        state,
      ]),
    );
  expect(raised.sort()).toEqual([
    ['citus/shards.sql', ownStates.moved],
    ['messages.sql', ownStates.withheld],
  ]);
  expect(new Set(Object.values(ownStates)).size).toBe(Object.keys(ownStates).length);
});

it('lets only a withheld delivery tell its outcomes', () => {
  const detail = 'full stored';
  expect(readWithheld({ code: ownStates.withheld, detail })).toHaveLength(2);
  expect(readWithheld({ code: ownStates.moved, detail })).toBeUndefined();
});
