// Five hundred messages with the layouts of mailing tools, in a phone's window.
import { it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { expectNarrow } from '../support/page/narrow-mails.ts';
import { templateMails } from '../support/mail/template-mails.ts';

const app = useApp({ MAYFLY_LIMITS_SESSION_MESSAGES: '600' });

it('fits five hundred mails to a phone with every word whole', { timeout: 900_000 }, async () => {
  await expectNarrow(app, templateMails(500));
});
