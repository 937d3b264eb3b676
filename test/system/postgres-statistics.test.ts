// PostgreSQL's statistics copy values of columns, and keep them after the rows are gone.

import { expect, it } from 'vitest';

import { withConnection } from '#postgres/connections';
import { deliveryOf, newSession } from '../contract/store-fixture.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';

const postgres = usePostgresFixture();
const outbox = { operator: true, sessions: true, rowsPerEndpoint: 100 };

interface ColumnStatistics {
  readonly name: string;
  readonly type: string;
}

it('names no address, key or sealed byte', async () => {
  const url = await postgres.createUrl();
  const { mail, attempts, jobs, gmail, blocks, shares, pushes } = await postgres.openNode(url, { outbox });
  const given = Array.from({ length: 20 }, () => newSession());
  for (const one of given) {
    const session = await mail.createSession(one);
    if (session === 'taken') throw new Error('The address was taken.');
    const { key } = session;
    await jobs.addEndpoint({ key, sealed: Buffer.from('sealed'), hostTag: Buffer.from('host') });
    await mail.deliver([{ ...deliveryOf(session, 'plain'), origin: one.key }]);
    await mail.deliver([deliveryOf(session, 'to be deleted')]);
    await mail.keepGlance(key, 1, Buffer.from('glance'));
    await mail.keepAuthentication(key, 1, Buffer.from('authentication'));
    await mail.deleteMessage(key, 2, Buffer.from('attempt'));
    await Promise.all([attempts.addAttempt(key, Buffer.from('attempt')), attempts.listAttempts(key)]);
    await shares.replace(key, { before: null, after: `share of ${one.address}` });
    await pushes.replace(key, { before: null, after: `push of ${one.address}` });
    await blocks.addBlock('sender', one.address, one.address);
    await gmail.addAccount({
      email: one.address,
      host: 'imap.example',
      port: 993,
      security: 'tls',
      user: one.address,
      auth: 'password',
      sealedCredentials: Buffer.from('x'),
      inboxFolder: null,
      spamFolder: null,
    });
  }
  const { columns, text } = await withConnection(url, async (client) => {
    await client.query('ANALYZE');
    const { rows } = await client.query<ColumnStatistics>(
      `SELECT s.tablename || '.' || s.attname AS name, format_type(a.atttypid, NULL) AS type
       FROM pg_stats s JOIN pg_attribute a ON a.attrelid = format('%I.%I', s.schemaname, s.tablename)::regclass
         AND a.attname = s.attname
       WHERE s.schemaname = 'mayfly'`,
    );
    const all = await client.query<{ text: string }>(
      "SELECT coalesce(string_agg(s::text, ''), '') AS text FROM pg_stats s WHERE s.schemaname = 'mayfly'",
    );
    return { columns: rows, text: all.rows[0]?.text ?? '' };
  });
  // It has looked at the tables.
  const names = columns.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['sessions.expires_at', 'addresses.free_at', 'outbox.kind']));
  expect(names.some((name) => /^messages_\d+\.received_at$/.test(name))).toBe(true);
  expect(columns.filter(({ type }) => type === 'bytea')).toEqual([]);
  for (const { address, addressKey, key } of given) {
    for (const secret of [address, addressKey]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString('hex'));
    }
    expect(text).not.toContain(Buffer.from(key).toString('hex'));
  }
});
