// Nothing on disk opens mail: data folder, log, backups, `server.key`, a database server's files and logs, of live and
// ended sessions. What webhooks are still to send is the exception, which `server.key` opens.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, it } from 'vitest';

import { deriveServerKey } from '#sealing/server-key';
import type { SessionKey } from '../../src/domain/session.ts';
import { openSealed } from '#sealing/seal';
import { attack, type Disk } from '../support/attacker/attack.ts';
import { attackPostgres, attackSqlite, nothing, talkative } from '../support/attacker/attack-stores.ts';
import {
  fillForAttack,
  readFolders,
  readSqliteColumns,
  valuesOf,
} from '../support/attacker/attacked-service.ts';
import { doesOpen } from '../support/attacker/disk-attack.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';
import { startSink } from '../support/servers/webhook-sink.ts';
import { forOperator, startWithHooks } from '../support/service/webhook-fixture.ts';

const amounts = { live: 6, ended: 6, mailsEach: 3 };
const postgres = usePostgresFixture(talkative);

it('nothing on the disk of a service on SQLite opens mail or shows any of it', async () => {
  for (const gained of await attackSqlite(amounts, true)) expect(gained).toEqual(nothing);
}, 240_000);

it('nothing on the disks of a service and its PostgreSQL, which logs all it can, opens mail or shows any of it', async () => {
  for (const gained of await attackPostgres(postgres, amounts)) expect(gained).toEqual(nothing);
}, 240_000);

it('`server.key` opens what webhooks are still to send, alone for its session, and no more once it is sent', async () => {
  const sink = await startSink();
  const well = sink.answer;
  sink.answer = (_one, response) => response.writeHead(500).end();
  const { dataDir, mayfly } = await startWithHooks(forOperator(sink));
  const attacked = await fillForAttack(mayfly, { live: 2, ended: 1, mailsEach: 2 });
  const file = path.join(dataDir, 'mayfly.db');
  const read = (): Disk['columns'] => readSqliteColumns(file);
  const contentsOf = (columns: Disk['columns']): readonly Buffer[] =>
    columns.find(({ table, name }) => table === 'outbox_contents' && name === 'content')?.values ?? [];
  await expect.poll(() => contentsOf(read()).length).toBeGreaterThan(0);
  const columns = read();
  const serverKey = await readFile(path.join(dataDir, 'server.key'));
  const keys = valuesOf(columns, 'sessions', 'key').map((key) =>
    deriveServerKey(serverKey, 'webhook content', key as Uint8Array as SessionKey),
  );
  for (const content of contentsOf(columns)) {
    const fitting = keys.filter((key) => doesOpen(key, 'webhook content', content));
    expect(fitting).toHaveLength(1);
    expect(openSealed(fitting[0]!, 'webhook content', content).toString()).toMatch(/Markersubject\d+x\d+Q/);
  }
  const files = await readFolders(dataDir);
  expect(attack({ files, columns, serverKey }, attacked)).toEqual(nothing);
  sink.answer = well;
  await expect.poll(() => contentsOf(read()).length, { timeout: 60_000 }).toBe(0);
}, 240_000);
