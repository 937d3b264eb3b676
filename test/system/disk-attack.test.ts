// Nothing on disk opens mail: data folder, log, backups, `server.key`, a database server's files and logs, of live and
// ended sessions. What webhooks are still to send is the exception, which `server.key` opens.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { deriveServerKey } from '../../src/secrets/server-key.ts';
import type { SessionKey } from '../../src/domain/session.ts';
import { openSealed } from '../../src/secrets/seal.mjs';
import { attack, type Disk } from '../support/attacker/attack.ts';
import {
  fillForAttack,
  readFolders,
  readPostgresColumns,
  readSqliteColumns,
  valuesOf,
} from '../support/attacker/attacked-service.ts';
import { doesOpen } from '../support/attacker/disk-attack.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';
import { startSink } from '../support/servers/webhook-sink.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { type MayflyProcess, runMayfly, startMayfly } from '../support/service/mayfly-process.ts';
import { forOperator } from '../support/service/webhook-fixture.ts';

const amounts = { live: 6, ended: 6, mailsEach: 3 };
const nothing = { opened: 0, privateKeys: 0, texts: [] };
const postgres = usePostgresFixture();

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-attack-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, 'backup');
}

async function start(settings: Readonly<Record<string, string>> = {}) {
  const dataDir = await useDataFolder();
  const mayfly = await startMayfly(dataDir, { MAYFLY_LIMITS_RATE: 'off', ...settings });
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return { dataDir, mayfly };
}

async function backUp(dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await makeFolder();
  expect(await runMayfly(dataDir, ['backup', folder], settings)).toMatchObject({ status: 0 });
  return folder;
}

function addLog(disk: Map<string, Buffer>, { log, said }: MayflyProcess): Map<string, Buffer> {
  return disk.set('the log', Buffer.from(log + said));
}

/** It is made when it is first needed. */
function findServerKey(files: ReadonlyMap<string, Buffer>, dataDir: string): Buffer {
  return files.get(path.join(dataDir, 'server.key')) ?? Buffer.alloc(32, 1);
}

it('nothing on the disk of a service on SQLite opens mail or shows any of it', async () => {
  const { dataDir, mayfly } = await start();
  const backups: string[] = [];
  const attacked = await fillForAttack(mayfly, amounts, async () => {
    backups.push(await backUp(dataDir));
  });
  backups.push(await backUp(dataDir));
  await mayfly.stop('SIGKILL');
  const files = addLog(await readFolders(dataDir, ...backups), mayfly);
  const serverKey = findServerKey(files, dataDir);
  // The first backup has what the sessions had that ended later.
  for (const file of [path.join(dataDir, 'mayfly.db'), path.join(backups[0]!, 'mayfly.db')]) {
    const isTriedWhole = (name: string): boolean => path.dirname(name) === path.dirname(file);
    const disk: Disk = { files, columns: readSqliteColumns(file), serverKey, isTriedWhole };
    expect(attack(disk, attacked)).toEqual(nothing);
  }
}, 240_000);

it('nothing on the disks of a service and its PostgreSQL opens mail or shows any of it', async () => {
  const url = await postgres.createUrl();
  const settings = { MAYFLY_STORE_URL: url };
  const { dataDir, mayfly } = await start(settings);
  const server = await postgres.server();
  const backups: string[] = [];
  const columns: Disk['columns'][] = [];
  const attacked = await fillForAttack(mayfly, amounts, async () => {
    backups.push(await backUp(dataDir, settings));
    columns.push(await readPostgresColumns(url));
  });
  columns.push(await readPostgresColumns(url));
  await server.execute('CHECKPOINT');
  await mayfly.stop('SIGKILL');
  const files = addLog(await readFolders(dataDir, ...backups, server.dataFolder), mayfly);
  const serverKey = findServerKey(files, dataDir);
  for (const one of columns) expect(attack({ files, columns: one, serverKey }, attacked)).toEqual(nothing);
}, 240_000);

it('`server.key` opens what webhooks are still to send, alone for its session, and no more once it is sent', async () => {
  const sink = await startSink();
  const well = sink.answer;
  sink.answer = (_one, response) => response.writeHead(500).end();
  const { dataDir, mayfly } = await start(forOperator(sink));
  const attacked = await fillForAttack(mayfly, { live: 2, ended: 1, mailsEach: 2 });
  const file = path.join(dataDir, 'mayfly.db');
  const read = (): Disk['columns'] => readSqliteColumns(file);
  const contentsOf = (columns: Disk['columns']): readonly Buffer[] =>
    columns.find(({ table, name }) => table === 'outbox_contents' && name === 'content')?.values ?? [];
  await expect.poll(() => contentsOf(read()).length, { timeout: 20_000 }).toBeGreaterThan(0);
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
