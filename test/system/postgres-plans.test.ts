// PostgreSQL caches plans while the tables are almost empty, and they must serve when the tables hold millions: the
// statements for each message use the keys' indexes, whatever looked cheaper on the first day.

import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres/postgres-server.ts';
import { postgresDefaults } from '../support/service/store-defaults.ts';

const explain = [
  "LOAD 'auto_explain'",
  'SET auto_explain.log_nested_statements = on',
  'SET auto_explain.log_min_duration = 0',
  'SET client_min_messages = log',
];
const statements = {
  find_sessions: `SELECT * FROM mayfly.find_sessions(NULL, ARRAY[decode(repeat('ab', 16), 'hex')])`,
  find_holders: `SELECT * FROM mayfly.find_holders(NULL, ARRAY['a@mayfly.test'::bytea])`,
  deliver_group: `SELECT * FROM mayfly.deliver_group(NULL, ARRAY[4]::bigint[], ARRAY[1]::bigint[], ARRAY[1], ARRAY[2],
    ARRAY[2], decode(repeat('ab', 20), 'hex'), 100, 1000, 0)`,
};

let server: PostgresServer;
let client: pg.Client;

beforeAll(async () => {
  server = await startPostgresServer();
  await server.execute('CREATE DATABASE plans TEMPLATE template0');
  const url = server.url('plans');
  const quota = { messages: 100, bytes: 1000 };
  const operatorMailbox = { messagesMax: 1, bytesMax: 1 };
  const store = await openPostgresStore({
    ...postgresDefaults,
    url,
    quota,
    operatorMailbox,
    totalLifetimeMs: 86_400_000,
  });
  await store.mail.close();
  client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of explain) await client.query(statement);
}, 300_000);

afterAll(async () => {
  await client.end();
  await server.stop();
});

it.each(Object.entries(statements))(
  '%s uses the key indexes even on an empty store',
  async (_, statement) => {
    const plans: string[] = [];
    const listen = ({ message = '' }: { message?: string | undefined }): void => void plans.push(message);
    client.on('notice', listen);
    await client.query(statement);
    client.off('notice', listen);
    const text = plans.join('\n');
    const used = [...text.matchAll(/Scan (?:Backward )?using (\w+)|Bitmap Index Scan on (\w+)/g)];
    expect(used.length).toBeGreaterThan(0);
    expect(
      used.map(([, index, bitmap]) => index ?? bitmap).filter((name) => !name?.endsWith('_pkey')),
    ).toEqual([]);
    expect(text).not.toContain('Seq Scan');
    expect(text.match(/Index Cond: \(\w+ = /g) ?? []).toHaveLength(used.length);
  },
);
