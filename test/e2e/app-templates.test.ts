// Messages with the layouts of mailing tools, in a phone's window: a sample of app-templates.long.test.ts.
import { it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { expectNarrow } from '../support/page/narrow-mails.ts';
import { templateMails } from '../support/mail/template-mails.ts';

const app = useApp();

it('fits to a phone with every word whole, whatever the layout', async () => {
  const all = templateMails(40);
  await expectNarrow(
    app,
    all.filter((_, at) => at % 3 === 0),
  );
});
