// The operator's block list of senders for mail over IMAP: as strict as over SMTP, and blocked mail is not read.

import { expect, it, onTestFinished } from 'vitest';

import type { GmailResult } from '../../src/service/receiving/receive-gmail-message.ts';
import { arrivedMail, startPolled } from '../support/gmail/polled-account.ts';
import { ScriptedImap } from '../support/gmail/scripted-imap.ts';
import { ask } from './http-harness.ts';

it('fetches no body of a blocked sender, and updates the delivery log and the metrics', async () => {
  const imap = await ScriptedImap.start();
  onTestFinished(() => imap.close());
  const results: GmailResult[] = [];
  const polled = await startPolled({
    port: imap.port,
    deps: {
      isSenderBlocked: (mailFrom) => mailFrom === 'bounce@shop.example',
      onGmailMessage: (result) => results.push(result),
    },
  });
  await polled.untilHealth('healthy');
  const lent = await polled.lend();
  imap.arrive(arrivedMail(lent.email, 'Blocked'));
  const other = arrivedMail(lent.email, 'Welcome').toString().replace('bounce@shop', 'bounce@other');
  imap.arrive(Buffer.from(other));
  expect(await polled.untilMessages(lent.token, 1)).toEqual(['Welcome']);
  expect(imap.commands.filter((command) => /^UID FETCH 1 .*PEEK\[\]/.test(command))).toEqual([]);
  expect(results).toEqual([
    { outcome: 'refused', reason: 'blocked_sender' },
    { outcome: 'stored', sizeBytes: other.length },
  ]);
  const { json } = await ask(polled.harness, `/session?token=${lent.token}`);
  const { deliveries } = json as { deliveries: { outcome: string; reply: string }[] };
  expect(deliveries.map(({ outcome }) => outcome).sort()).toEqual(['accepted', 'refused']);
  expect(deliveries.map(({ reply }) => reply)).toContain('550 5.7.1 Mail from this sender is refused here');
});
