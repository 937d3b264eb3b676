// The whole corpus of hostile HTML in Chromium, in every pass.
import { describe } from 'vitest';

import { testHtmlMail } from './html-mail-passes.ts';

describe('HTML mail in a browser', () => testHtmlMail({ app: 1, others: 1 }));
