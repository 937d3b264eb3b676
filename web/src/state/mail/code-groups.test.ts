import { expect, it } from 'vitest';

import { toCodeGroups } from './code-groups.ts';

it('cuts long numbers and leaves everything else whole', () => {
  expect(toCodeGroups('482913')).toEqual(['482', '913']);
  expect(toCodeGroups('48291377')).toEqual(['4829', '1377']);
  expect(toCodeGroups('1234567')).toEqual(['1234', '567']);
  expect(toCodeGroups('4829')).toEqual(['4829']);
  expect(toCodeGroups('AB-482913')).toEqual(['AB-482913']);
});
