// Mailpit and Inbucket as oracles: `mayfly dev` takes the mails that they took, and every field of every answer of our
// dialects is compared with theirs, as recorded by peer-answers.long.test.ts. A difference is a fault unless it is
// judged.

import { expect, it } from 'vitest';

import { askInbucket, askMailpit, type Catcher } from '../support/peers/ask-peers.ts';
import { compareAnswers, describeDifferences } from '../support/peers/compare-answers.ts';
import { ofInbucket, ofMailpit } from '../support/peers/judgements.ts';
import { readPeerMails } from '../support/peers/peer-mails.ts';
import { readRecorded } from '../support/peers/recorded-answers.ts';
import { rootOf, startDev } from '../support/service/dev-process.ts';

async function start(): Promise<Catcher> {
  const mayfly = await startDev();
  return { smtpPort: mayfly.smtpPort, origin: rootOf(mayfly) };
}

it.each([
  ['mailpit', askMailpit, ofMailpit, 7500],
  ['inbucket', askInbucket, ofInbucket, 3500],
] as const)('answers what %s answers', { timeout: 300_000 }, async (name, ask, judgements, fieldsMin) => {
  const ours = await ask(await start(), readPeerMails());
  const { mails, fields, unjudged, judged } = compareAnswers(readRecorded(name).answers, ours, judgements);
  expect(describeDifferences(unjudged)).toBe('');
  expect(mails).toBeGreaterThanOrEqual(102);
  expect(fields).toBeGreaterThanOrEqual(fieldsMin);
  // A judgement on nothing is out of date.
  expect([...judged].filter(([, count]) => count === 0)).toEqual([]);
});
