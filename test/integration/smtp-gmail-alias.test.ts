// An alias of a Gmail account is not a local recipient: its mail has to go to Google.

import { expect, it } from 'vitest';

import { toPlusAlias, parseAliasBase } from '#gmail-aliases/alias';
import { createLive } from '../contract/store-fixture.ts';
import { addHealthyAccount } from '../support/gmail/gmail-account.ts';
import { startSmtp } from '../support/smtp/smtp-fixture.ts';

it('is refused over SMTP with the bytes of any foreign address, while a session holds it', async () => {
  const fixture = await startSmtp();
  const account = await addHealthyAccount(fixture.store, 'quiet.fox@gmail.com');
  const base = parseAliasBase(account.email);
  const plus = (base && toPlusAlias(base, 'tag')) ?? '';
  const lent = ['q.uietfox@gmail.com', plus];
  for (const address of lent) {
    await createLive(fixture.store, { address, accountId: account.id });
    expect(await fixture.store.mail.findLiveSession(address)).toBeDefined();
  }
  const client = await fixture.greet();
  await client.command('MAIL FROM:<sender@client.test>');
  const foreign = await client.command('RCPT TO:<somebody@foreign.test>');
  expect(foreign).toMatch(/^550 /);
  for (const address of [...lent, 'Q.UietFox@gmail.com', 'quiet.fox@gmail.com']) {
    expect(await client.command(`RCPT TO:<${address}>`)).toBe(foreign);
  }
});
