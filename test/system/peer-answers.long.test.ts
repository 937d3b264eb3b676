// Mailpit and Inbucket, built from the Go module proxy, answer as recorded in test/fixtures/peers. Records them anew:
// `MAYFLY_RECORD=1 npm run test:long -- test/system/peer-answers.long.test.ts`.

import path from 'node:path';

import { beforeAll, expect, it, onTestFinished } from 'vitest';

import { ensurePeers, programs } from '../../bench/peers/build-peers.mjs';
import { peers } from '../../bench/peers/peers.ts';
import { askInbucket, askMailpit, type Catcher } from '../support/peers/ask-peers.ts';
import { compareAnswers, describeDifferences } from '../support/peers/compare-answers.ts';
import { readPeerMails } from '../support/peers/peer-mails.ts';
import { readRecorded, writeRecorded } from '../support/peers/recorded-answers.ts';
import { newTemp } from '../support/service/dev-process.ts';

let built: string;

beforeAll(async () => {
  built = await ensurePeers(path.resolve('build'));
}, 600_000);

async function start(name: string): Promise<Catcher> {
  const peer = peers.find((one) => one.name.startsWith(name));
  if (!peer) throw new Error(`There is no peer ${name}.`);
  const { smtpPort, httpPort, stop } = await peer.start(built, newTemp());
  onTestFinished(stop);
  return { smtpPort, origin: `http://127.0.0.1:${httpPort}` };
}

it.each([
  ['mailpit', 'Mailpit', askMailpit],
  ['inbucket', 'Inbucket', askInbucket],
] as const)('is how %s answers', async (file, name, ask) => {
  const answers = await ask(await start(name), readPeerMails());
  if (process.env['MAYFLY_RECORD'] === '1') writeRecorded(file, { program: programs[file], answers });
  const recorded = readRecorded(file);
  expect(recorded.program).toBe(programs[file]);
  const { unjudged } = compareAnswers(answers, recorded.answers, []);
  expect(describeDifferences(unjudged)).toBe('');
});
