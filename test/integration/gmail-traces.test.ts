// Traces of a message that arrives over IMAP.

import { expect, it, onTestFinished } from 'vitest';

import type { Span } from '#telemetry/traces';
import { eventually } from '../support/eventually.ts';
import { arrivedMail, startPolled } from '../support/gmail/polled-account.ts';
import { ScriptedImap } from '../support/gmail/scripted-imap.ts';

it('traces each fetched and stored message, with the time of both', async () => {
  const recorded: Span[] = [];
  const traces = { record: (span: Span) => void recorded.push(span), close: () => Promise.resolve() };
  const imap = await ScriptedImap.start();
  onTestFinished(() => imap.close());
  const polled = await startPolled({ port: imap.port, parts: { traces } });
  await polled.untilHealth('healthy');
  const lent = await polled.lend();
  imap.arrive(arrivedMail('somebody.else+x@gmail.com', 'Not ours'));
  imap.arrive(arrivedMail(lent.email, 'Marker'));
  await polled.untilMessages(lent.token, 1);
  await eventually(() => Promise.resolve(recorded[0]), 'a span was recorded');
  expect(recorded).toHaveLength(1);
  const { name, kind, attributes, children = [], startedAt, endedAt } = recorded[0] as Span;
  const { id } = await polled.account();
  expect({ name, kind, attributes }).toEqual({
    name: 'gmail message',
    kind: 'consumer',
    attributes: {
      'mayfly.gmail.account': id,
      'mayfly.gmail.folder': 'inbox',
      'mayfly.message.bytes': arrivedMail(lent.email, 'Marker').length,
      'mayfly.outcome': 'stored',
    },
  });
  expect(children.map((child) => child.name)).toEqual(['fetch', 'commit']);
  expect(children[0]?.startedAt).toBe(startedAt);
  expect(children[1]?.startedAt).toBe(children[0]?.endedAt);
  expect(children[1]?.endedAt).toBe(endedAt);
});
