// A part of the corpus of hostile HTML in Chromium, another with each seed. html-mail.long.test.ts opens all of it.
import { describe } from 'vitest';

import { seed, testHtmlMail } from './html-mail-passes.ts';

// A page holds 80 frames: the corpus fills nine.
describe(`a part of HTML mail in a browser (FUZZ_SEED=${seed})`, () => testHtmlMail({ app: 3, others: 9 }));
