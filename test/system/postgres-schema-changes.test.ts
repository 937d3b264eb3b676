// A node of one release while a node of the next migrates the schema: additions to tables and functions must not
// disturb it, although its statements are prepared.

import type pg from 'pg';
import { expect, it } from 'vitest';

import { withConnection } from '#postgres/connections';
import type { Lease } from '../../src/store/lease-store.ts';
import type { PostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { dayMs, deliveryOf, newSession } from '../contract/store-fixture.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';

const postgres = usePostgresFixture();
const outbox = { operator: true, sessions: true, rowsPerEndpoint: 100 };
const large = Array.from({ length: 3 }, (_, at) => Buffer.alloc(200_000, at));

async function leaseOf({ shared }: PostgresStore): Promise<Lease> {
  const lease = await shared.leases.takeLease('all', 'test', 60_000);
  if (!lease) throw new Error('Another holds the lease.');
  return lease;
}

async function useMail(store: PostgresStore, round: string): Promise<void> {
  const { mail, attempts } = store;
  const lease = await leaseOf(store);
  const given = newSession();
  const session = await mail.createSession(given);
  const capture = await mail.createSession({ ...newSession(), dropsOldest: true });
  if (session === 'taken' || capture === 'taken') throw new Error('The address was taken.');
  const { key } = session;
  for (const delivery of [
    deliveryOf(session, 'plain'),
    deliveryOf(session, large),
    { ...deliveryOf(session, 'with an origin'), origin: Buffer.alloc(16, round) },
    deliveryOf(capture, 'caught'),
  ]) {
    expect(await mail.deliver([delivery])).toMatchObject([{ outcome: 'stored' }]);
  }
  expect(await mail.findSession(given.tokenHash)).toMatchObject({ state: 'live' });
  expect(await mail.findLiveSession(given.addressKey)).toMatchObject({ key });
  const range = { limit: 10 } as const;
  expect(await mail.listMessages(key, { ...range, order: 'newest-first' })).toHaveLength(3);
  expect(await mail.listMessages(key, { ...range, order: 'oldest-first' })).toHaveLength(3);
  for await (const chunk of mail.readRaw(key, 1)) expect(chunk.length).toBeGreaterThan(0);
  await mail.markRead(key, 1);
  expect(await mail.setRead(key, 1, false)).toBe(true);
  await mail.keepGlance(key, 1, Buffer.from('glance'));
  await mail.keepAuthentication(key, 1, Buffer.from('authentication'));
  expect(await mail.findAuthentication(key, 1)).toEqual(Buffer.from('authentication'));
  expect(await mail.deleteMessage(key, 1)).toBe(true);
  expect((await mail.listEvents(key, 0, 10)).events.length).toBeGreaterThan(3);
  await Promise.all([attempts.addAttempt(key, Buffer.from('attempt')), attempts.listAttempts(key)]);
  expect(await mail.extendSession(key, dayMs)).toMatchObject({ key });
  const to = { address: `new-${given.address}`, addressKey: `new-${given.addressKey}`, quarantineMs: 0 };
  expect(await mail.renameSession(key, to)).toMatchObject({ key });
  await useTexts(store, key);
  expect(await mail.endSession(key)).toBe(true);
  await mail.endDueSessions(10, lease);
  await mail.reclaim(50, lease);
  await store.shared.partitions.makeAhead(lease);
  await store.shared.partitions.dropPassed(lease);
  await store.shared.leases.releaseLease(lease);
}

async function useTexts(store: PostgresStore, key: Parameters<typeof store.passwords.readPassword>[0]) {
  expect(await store.passwords.replacePassword(key, Buffer.from('sealed'))).toBe(true);
  expect(await store.passwords.readPassword(key)).toEqual(Buffer.from('sealed'));
  for (const texts of [store.shares, store.pushes]) {
    expect(await texts.replace(key, { before: null, after: 'text' })).toBe(true);
    expect(await texts.read(key)).toBe('text');
  }
}

async function useJobs({ jobs, mail }: PostgresStore): Promise<void> {
  const session = await mail.createSession(newSession());
  if (session === 'taken') throw new Error('The address was taken.');
  const { key } = session;
  await jobs.addEndpoint({ key, sealed: Buffer.from('sealed'), hostTag: Buffer.from('host') });
  expect(await jobs.countEndpoints(Buffer.from('host'))).toBeGreaterThan(0);
  expect(await jobs.findEndpoint(key)).toMatchObject({ standing: 'pending' });
  const none = { standings: [], endpoints: [], hostTags: [], makerTags: [] };
  const lease = async () => {
    const due = await jobs.listDueEndpoints({ limit: 100, except: none });
    const shares = [1, ...due.map(({ endpointId }) => endpointId)].map((endpointId) => ({
      endpointId,
      rows: 1,
    }));
    return jobs.leaseDue({ leaseMs: 1, shares });
  };
  const challenge = (await lease()).find(({ kind }) => kind === 'webhook.challenge');
  expect(challenge && (await jobs.activateEndpoint(challenge))).toBe(true);
  await mail.deliver([deliveryOf(session)]);
  for (const leased of await lease()) {
    expect(await jobs.postpone(leased, { delayMs: 0, isTry: true, error: 'late' })).toBe(true);
    expect(await jobs.postpone(leased, { delayMs: 0, isTry: false })).toBe(true);
    expect(await jobs.bury(leased, 'refused')).toBe(true);
  }
  expect((await jobs.listDead(100)).length).toBeGreaterThan(0);
  await jobs.replayDead('all');
  for (const leased of await lease()) await jobs.finish(leased);
  await jobs.takeOverflow();
  await jobs.tidy({ giveUpMs: dayMs, deadMs: dayMs, deadPerEndpoint: 10 });
}

async function useOthers(store: PostgresStore, round: string): Promise<void> {
  const { directory, keys, blocks, gmail, finder, operatorMailbox } = store;
  await directory.addDomain(`${round}.test`, undefined, 1000);
  await directory.changeDomain(`${round}.test`, { takesPlusTags: true });
  await directory.keepLastMail(new Map([[`${round}.test`, 1]]));
  await directory.listLastMail();
  await directory.hasEverHadDomain();
  expect(await directory.listDomains()).not.toHaveLength(0);
  await directory.removeDomain(`${round}.test`);
  const key = {
    name: round,
    kind: 'caller' as const,
    scopes: [],
    hash: Buffer.from(round),
    ratePerMinute: null,
  };
  expect(await keys.addKey(key)).toMatchObject({ name: round });
  const [made] = await keys.listKeys();
  await keys.addUses([{ id: made?.id ?? 0, uses: 1, lastUsedAt: 1 }]);
  expect(await keys.revokeKey(round)).toMatchObject({ name: round });
  await blocks.addBlock('sender', `${round}@example.org`, '');
  expect(await blocks.listBlocks()).not.toHaveLength(0);
  await blocks.removeBlock('sender', `${round}@example.org`);
  await finder.countLive();
  await finder.findLive('', 10);
  await finder.listLiveAfter('', 10);
  await finder.isKnownAddress('nobody@example.org');
  await operatorMailbox.deliver({ sizeBytes: 3, pieces: [Buffer.from('abc')] });
  await useGmail(store, round);
  expect(await gmail.listAccounts()).toEqual([]);
}

async function useGmail(store: PostgresStore, round: string): Promise<void> {
  const { gmail } = store;
  const email = `${round}@gmail.example`;
  const { id } = await gmail.addAccount({
    email,
    host: 'imap.example',
    port: 993,
    security: 'tls',
    user: email,
    auth: 'password',
    sealedCredentials: Buffer.from('x'),
    inboxFolder: null,
    spamFolder: null,
  });
  const lease = await leaseOf(store);
  await gmail.disableAccount(email);
  await gmail.resealCredentials(() => Buffer.from('y'));
  await gmail.takeAliasNumber(id);
  await gmail.countHeldDotVariants(id);
  expect(await gmail.keepHealth(lease, id, { health: 'healthy', detail: '' })).toBe(true);
  const cursor = { uidValidity: 1, lastUid: 1 };
  const progress = { accountId: id, folder: 'INBOX', cursor, bytes: 1, unmatched: 0 };
  expect(await gmail.keepProgress(lease, progress)).toBe(true);
  expect(await gmail.findCursor(id, 'INBOX')).toEqual(cursor);
  await gmail.addCleanup(id, { folder: 'INBOX', uidValidity: 1, uid: 1, messageTag: 'tag' }, []);
  for (const one of await gmail.listDueCleanups(id, 10)) await gmail.finishCleanup(lease, one.id);
  await store.shared.leases.releaseLease(lease);
  await gmail.removeAccount(email);
}

let rounds = 0;

/** Uses every operation of the store. */
async function useAll(store: PostgresStore): Promise<void> {
  const round = `round-${++rounds}`;
  await useMail(store, round);
  await useJobs(store);
  await useOthers(store, round);
}

async function change(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  await withConnection(url, work);
}

/** Process ids of the node's backends: an error with a prepared statement would cost the connection. */
async function backendsOf(url: string): Promise<number[]> {
  return withConnection(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE application_name = 'mayfly' AND datname = current_database() AND pid <> pg_backend_pid()`,
    );
    return rows.map(({ pid }) => pid).sort();
  });
}

async function expectUndisturbed(url: string, store: PostgresStore, work: () => Promise<void>) {
  await useAll(store);
  const before = await backendsOf(url);
  await work();
  await useAll(store);
  await useAll(store);
  expect(await backendsOf(url)).toEqual(expect.arrayContaining(before));
}

it('a column added to every table disturbs no running node', async () => {
  const url = await postgres.createUrl();
  const store = await postgres.openNode(url, { outbox });
  await expectUndisturbed(url, store, () =>
    change(url, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT oid::regclass::text AS name FROM pg_class
         WHERE relnamespace = 'mayfly'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
      );
      expect(rows.length).toBeGreaterThan(20);
      for (const { name } of rows) {
        await client.query(`ALTER TABLE ${name} ADD COLUMN later integer DEFAULT 1`);
      }
    }),
  );
}, 300_000);

interface TableFunction {
  readonly name: string;
  readonly parameters: string;
  readonly result: string;
  readonly count: number;
}

it('every function made anew with one more column disturbs no running node', async () => {
  const url = await postgres.createUrl();
  const store = await postgres.openNode(url, { outbox });
  await expectUndisturbed(url, store, () =>
    change(url, async (client) => {
      const { rows } = await client.query<TableFunction>(
        `SELECT proname AS name,
           (SELECT string_agg(format_type(t, NULL), ', ' ORDER BY n) FROM unnest(proargtypes) WITH ORDINALITY AS a (t, n))
             AS parameters,
           (SELECT string_agg(proargnames[n] || ' ' || format_type(t, NULL), ', ' ORDER BY n)
            FROM unnest(proallargtypes) WITH ORDINALITY AS a (t, n) WHERE proargmodes[n] IN ('o', 't')) AS result,
           pronargs AS count
         FROM pg_proc p WHERE pronamespace = 'mayfly'::regnamespace AND proallargtypes IS NOT NULL`,
      );
      expect(rows.length).toBeGreaterThan(5);
      for (const { name, parameters, result, count } of rows) {
        const values = Array.from({ length: count }, (_, at) => `$${at + 1}`).join(', ');
        await client.query(`ALTER FUNCTION mayfly.${name}(${parameters}) RENAME TO ${name}_before`);
        await client.query(
          `CREATE FUNCTION mayfly.${name}(${parameters}) RETURNS TABLE (${result}, o_later integer) LANGUAGE sql
           AS $$ SELECT f.*, 1 FROM mayfly.${name}_before(${values}) AS f $$`,
        );
      }
    }),
  );
}, 300_000);

it('a statement prepared for an earlier result is repeated', async () => {
  const url = await postgres.createUrl();
  const store = await postgres.openNode(url, { outbox });
  await useAll(store);
  await change(url, async (client) => {
    await client.query('ALTER TABLE mayfly.notes ALTER COLUMN glance TYPE text USING NULL');
    await client.query('ALTER TABLE mayfly.domains ALTER COLUMN quarantine_ms TYPE integer');
    await client.query('ALTER TABLE mayfly.messages ALTER COLUMN size_bytes TYPE numeric');
    await client.query('ALTER FUNCTION mayfly.find_holders(bigint, bytea[]) RENAME TO find_holders_before');
    await client.query(
      `CREATE FUNCTION mayfly.find_holders(p_now bigint, p_keys bytea[]) RETURNS TABLE (
         o_place integer, o_now bigint, o_key bytea, o_token_hash bytea, o_address bytea, o_created_at bigint,
         o_expires_at bigint, o_latest_end_at bigint, o_ended_at bigint, o_bucket integer, o_seq integer,
         o_version bigint, o_message_count integer, o_message_bytes bigint, o_account_id integer, o_public_key bytea, o_salt bytea,
         o_drops_oldest boolean)
       LANGUAGE sql AS 'SELECT f.o_place::integer, f.o_now, f.o_key, f.o_token_hash, f.o_address, f.o_created_at,
         f.o_expires_at, f.o_latest_end_at, f.o_ended_at, f.o_bucket, f.o_seq, f.o_version, f.o_message_count,
         f.o_message_bytes, f.o_account_id, f.o_public_key, f.o_salt, f.o_drops_oldest
         FROM mayfly.find_holders_before($1, $2) AS f'`,
    );
  });
  await useAll(store);
  await useAll(store);
}, 300_000);
