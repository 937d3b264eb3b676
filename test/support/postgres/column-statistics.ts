// Fills a store with a row of everything that a session can have, and reads what the database's statistics have kept of
// it.

import { withConnection } from '#postgres/connections';

import type { NewSession } from '../../../src/store/mail-store.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { deliveryOf, newSession } from '../../contract/store-fixture.ts';

/** Returns what identifies the sessions. */
export async function fillEverything(stores: Stores): Promise<readonly NewSession[]> {
  const { mail, attempts, jobs, gmail, blocks, shares, pushes } = stores;
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
  return given;
}

export interface ColumnStatistics {
  /** Table and column. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** All values. */
  readonly text: string;
}

/** Looks at the tables again first. `settings`: statements before. */
export function readStatistics(url: string, ...settings: readonly string[]): Promise<ColumnStatistics> {
  return withConnection(url, async (client) => {
    for (const statement of settings) await client.query(statement);
    await client.query('ANALYZE');
    const { rows: columns } = await client.query<{ name: string; type: string }>(
      `SELECT s.tablename || '.' || s.attname AS name, format_type(a.atttypid, NULL) AS type
       FROM pg_stats s JOIN pg_attribute a ON a.attrelid = format('%I.%I', s.schemaname, s.tablename)::regclass
         AND a.attname = s.attname
       WHERE s.schemaname = 'mayfly'`,
    );
    const { rows } = await client.query<{ text: string }>(
      "SELECT coalesce(string_agg(s::text, ''), '') AS text FROM pg_stats s WHERE s.schemaname = 'mayfly'",
    );
    return { columns, text: rows[0]?.text ?? '' };
  });
}

/** Returns those texts of the sessions that are in the statistics. */
export function findNames({ text }: ColumnStatistics, given: readonly NewSession[]): string[] {
  return given
    .flatMap(({ address, addressKey, key }) => [
      ...[address, addressKey].flatMap((name) => [name, Buffer.from(name).toString('hex')]),
      Buffer.from(key).toString('hex'),
    ])
    .filter((name) => text.includes(name));
}
