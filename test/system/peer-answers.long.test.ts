// Mailpit and Inbucket as oracles: they take the same mails as we do by SMTP, and every field of every answer of their
// interfaces is compared with our dialect's. A difference is a fault unless it is judged here.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { ensurePeers } from '../../bench/peers/build-peers.mjs';
import { peers, type RunningPeer } from '../../bench/peers/peers.ts';
import { compareAnswers, describeDifferences, type Judgement } from '../support/peers/compare-answers.ts';
import { newTemp, rootOf, startDev } from '../support/service/dev-process.ts';

const corpus = path.resolve('packages/mail-reader/test/fixtures/eml');
const mails = readdirSync(corpus)
  .filter((name) => name.endsWith('.eml'))
  .sort();
const envelope = { from: 'sender@example.org', to: ['fox@shop.example'] };

let programs: string;
const running: RunningPeer[] = [];

beforeAll(async () => {
  programs = await ensurePeers(path.resolve('build'));
}, 600_000);

afterAll(async () => {
  for (const peer of running) await peer.stop();
});

async function startPeer(name: string): Promise<RunningPeer> {
  const peer = peers.find((one) => one.name.startsWith(name));
  if (!peer) throw new Error(`There is no peer ${name}.`);
  const started = await peer.start(programs, newTemp());
  running.push(started);
  return started;
}

/** With the line ends of SMTP, as a client sends it. */
function readMail(name: string): string {
  return readFileSync(path.join(corpus, name), 'latin1').replace(/\r?\n/g, '\r\n');
}

/** In order; returns those that were accepted. */
async function sendAll(port: number): Promise<readonly string[]> {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    ignoreTLS: true,
    pool: true,
    maxConnections: 1,
  });
  const accepted: string[] = [];
  for (const name of mails) {
    const raw = Buffer.from(readMail(name), 'latin1');
    await transport.sendMail({ envelope, raw }).then(
      () => accepted.push(name),
      () => undefined,
    );
  }
  transport.close();
  return accepted;
}

async function get(url: string): Promise<unknown> {
  const answer = await fetch(url);
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') === true;
  const body: unknown = isJson ? JSON.parse(text) : text;
  return { status: answer.status, body };
}

interface Listed {
  readonly messages: readonly { readonly ID: string }[];
}

/** What Mailpit says of each mail, oldest first. */
async function readMailpit(root: string): Promise<readonly unknown[]> {
  const list = (await get(`${root}/api/v1/messages?limit=1000`)) as { body: Listed };
  const answers: unknown[] = [];
  for (const summary of [...list.body.messages].reverse()) {
    const of = (rest: string): Promise<unknown> => get(`${root}/api/v1/message/${summary.ID}${rest}`);
    answers.push({
      summary,
      message: await of(''),
      headers: await of('/headers'),
      html: await get(`${root}/view/${summary.ID}.html`),
      text: await get(`${root}/view/${summary.ID}.txt`),
    });
  }
  return answers;
}

const ofMailpit: readonly Judgement[] = [{ path: /(?:^|\.)ID$/, reason: 'ids are our own' }];

it('answers what Mailpit answers', { timeout: 600_000 }, async () => {
  const [mailpit, mayfly] = [await startPeer('Mailpit'), await startDev()];
  const [theirs, ours] = [await sendAll(mailpit.smtpPort), await sendAll(mayfly.smtpPort)];
  expect(ours).toEqual(theirs);
  const their = await readMailpit(`http://127.0.0.1:${mailpit.httpPort}`);
  const our = await readMailpit(rootOf(mayfly));
  expect(our).toHaveLength(their.length);
  const pairs = their.map((answer, at) => ({ mail: theirs[at] ?? '', theirs: answer, ours: our[at] }));
  const { unjudged, fields, judged } = compareAnswers(pairs, ofMailpit);
  expect(fields).toBeGreaterThan(1000);
  expect([...judged.keys()].length).toBeLessThanOrEqual(15);
  expect(describeDifferences(unjudged)).toBe('');
});
