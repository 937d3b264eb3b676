// Nodes whose clocks are ten minutes apart: what one of them makes and another checks, or a receiver of webhooks, goes
// by the database's clock.

import { createHash } from 'node:crypto';

import { expect, it } from 'vitest';

import { createWebhookSecret } from '#notifications/webhook-signature';
import { eventually } from '../support/eventually.ts';
import { findFaketime } from '../support/servers/faketime.ts';
import type { Lent, MayflyProcess } from '../support/service/mayfly-process.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';
import { PostgresNodes } from '../support/postgres/postgres-nodes.ts';
import { greet, sendMail } from '../support/smtp/smtp-client.ts';
import { startSink } from '../support/servers/webhook-sink.ts';

const postgres = usePostgresFixture();

function apart(offset: string): Record<string, string> {
  return {
    LD_PRELOAD: findFaketime(),
    FAKETIME: offset,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
}

interface Challenge {
  readonly algorithm: string;
  readonly challenge: string;
  readonly maxnumber: number;
  readonly salt: string;
  readonly signature: string;
}

/** Returns what create-session takes. */
async function solve(node: MayflyProcess): Promise<string> {
  const given = (await (await node.call('/challenge')).json()) as Challenge;
  const { algorithm, challenge, maxnumber, salt, signature } = given;
  for (let number = 0; number <= maxnumber; number++) {
    if (createHash('sha256').update(`${salt}${number}`).digest('hex') !== challenge) continue;
    return Buffer.from(JSON.stringify({ algorithm, challenge, number, salt, signature })).toString('base64');
  }
  throw new Error('The challenge has no solution.');
}

it('take each other’s proof of work, and sign webhooks for receivers with the right time', async () => {
  const url = await postgres.createUrl();
  const sink = await startSink();
  const nodes = new PostgresNodes(url, {
    MAYFLY_HTTP_CHALLENGE: 'pow',
    MAYFLY_HTTP_CHALLENGE_SECRET: 'a secret that all nodes share, of 32 bytes',
    MAYFLY_HTTP_CHALLENGE_DIFFICULTY: '1000',
    MAYFLY_WEBHOOKS_URL: `http://127.0.0.1:${sink.port}/`,
    MAYFLY_WEBHOOKS_SECRET: createWebhookSecret(),
  });
  const behind = await nodes.start({ ...apart('-300s'), MAYFLY_ROLES: 'smtp,http' });
  const ahead = await nodes.start(apart('+300s'));
  for (const [maker, checker] of [
    [behind, ahead],
    [ahead, behind],
  ] as const) {
    const lent: Lent = await checker.lend({ challenge: await solve(maker) });
    const client = await greet(checker.smtpPort);
    expect(await sendMail(client, 'Subject: x\r\n\r\ny\r\n', lent.email)).toMatch(/^250 /);
    const raw = await checker.rawMail(lent.token, 1);
    const [, date = ''] =
      /^Received: [^;]+; (.+)$/m.exec(raw.toString().replaceAll(/\r\n[ \t]+/g, ' ')) ?? [];
    expect(Math.abs(Date.parse(date) - Date.now())).toBeLessThan(60_000);
  }
  await eventually(() => Promise.resolve(sink.received.length >= 2 || undefined), 'both are told of');
  for (const { headers } of sink.received) {
    const off = Number(headers['webhook-timestamp']) * 1000 - Date.now();
    // Standard receivers allow five minutes.
    expect(Math.abs(off)).toBeLessThan(60_000);
  }
}, 300_000);
