// R10 on many nodes: clocks five minutes apart (libfaketime). The database's clock counts: sessions live as long as
// granted, on every node, and no lease is taken from its holder.

import { expect, it } from 'vitest';

import { findFaketime } from '../support/servers/faketime.ts';
import { report } from '../support/faults/fault-scale.ts';
import type { Lent, MayflyProcess } from '../support/service/mayfly-process.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';
import { PostgresNodes, timeUntil } from '../support/postgres/postgres-nodes.ts';
import { greet, sendMail } from '../support/smtp/smtp-client.ts';

const postgres = usePostgresFixture();
const lifetimeSeconds = 3;

function apart(offset: string): Record<string, string> {
  return {
    LD_PRELOAD: findFaketime(),
    FAKETIME: offset,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
}

/** Returns the node's date and its view of a session. */
async function look(node: MayflyProcess, { token }: Lent) {
  const response = await node.call('/session', token);
  const text = await response.text();
  const { expires_at: expiresAt = '', expires_in: left = NaN } = JSON.parse(text) as {
    expires_at?: string;
    expires_in?: number;
  };
  const skewMs = Date.parse(response.headers.get('date') ?? '') - Date.now();
  return { status: response.status, expiresAt: Date.parse(expiresAt), left, skewMs };
}

const attached = [
  'Subject: attached',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  ...[
    '--b',
    '',
    'Text.',
    '--b',
    'Content-Type: application/pdf',
    'Content-Disposition: attachment; filename=a.pdf',
  ],
  ...['', 'body', '--b--', ''],
].join('\r\n');

it('nodes whose clocks are five minutes behind and ahead', { timeout: 300_000 }, async () => {
  const server = await postgres.server();
  const url = await postgres.createUrl();
  const nodes = new PostgresNodes(url, { MAYFLY_SESSION_LIFETIME_MIN_SECONDS: '1' });
  const [behind, ahead] = await Promise.all([nodes.start(apart('-300s')), nodes.start(apart('+300s'))]);
  const both = [behind, ahead] as const;
  const leases = async (): Promise<unknown[]> => {
    const [result] = await server.executeIn(
      new URL(url).pathname.slice(1),
      'SELECT name, holder, epoch FROM mayfly.leases ORDER BY name',
    );
    return result?.rows ?? [];
  };
  await timeUntil(async () => (await leases()).length === 1, 60_000, 'somebody holds the lease');

  for (const maker of both) {
    const lent = await maker.lend({ lifetime: '3600' });
    for (const node of both) {
      const seen = await look(node, lent);
      expect(Math.abs(seen.skewMs)).toBeGreaterThan(290_000);
      expect(seen).toMatchObject({ status: 200 });
      expect(seen.left).toBeGreaterThan(3500);
      expect(seen.left).toBeLessThanOrEqual(3600);
      expect(Math.abs(seen.expiresAt - Date.now() - 3_600_000)).toBeLessThan(60_000);
      const client = await greet(node.smtpPort);
      expect(await sendMail(client, attached, lent.email)).toMatch(/^250 /);
    }
    const { attachments } = await maker.readMail(lent.token, 2);
    for (const node of both) {
      const link = new URL(attachments[0]?.url ?? '', node.origin);
      expect((await fetch(node.origin + link.pathname + link.search)).status).toBe(200);
    }
  }

  const held = await leases();
  const short = await ahead.lend({ lifetime: String(lifetimeSeconds) });
  const lentAt = performance.now();
  for (const node of both) expect((await look(node, short)).status).toBe(200);
  const hasEnded = async (): Promise<boolean> => (await look(behind, short)).status === 410;
  await timeUntil(hasEnded, 60_000, 'it ends');
  const livedMs = Math.round(performance.now() - lentAt);
  expect(livedMs).toBeGreaterThan(lifetimeSeconds * 1000 - 500);
  expect((await look(ahead, short)).status).toBe(410);
  // Each has tried to take every lease meanwhile, and the one that is ahead found none expired.
  expect(await leases()).toEqual(held);
  for (const node of both) expect(await node.stop()).toBe(0);
  report('R10 nodes', {
    'clocks apart s': 600,
    'lifetime given ms': lifetimeSeconds * 1000,
    'lived ms': livedMs,
  });
});
