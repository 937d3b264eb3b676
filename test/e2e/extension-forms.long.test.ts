// The extension on all recorded sign-up forms.
import { expect, it } from 'vitest';

import { listForms } from '../support/page/extension-pages.ts';
import { testForms } from './recorded-forms.ts';

const names = listForms();

it('are at least sixty', () => {
  expect(names.length).toBeGreaterThanOrEqual(60);
});

testForms(names);
