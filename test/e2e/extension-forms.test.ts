// The extension on a sixth of the recorded sign-up forms; extension-forms.long.test.ts has them all.
import { listForms } from '../support/page/extension-pages.ts';
import { testForms } from './recorded-forms.ts';

testForms(listForms().filter((_, at) => at % 6 === 0));
