// `mayfly backup` and `mayfly restore` as an operator runs them: under load, with the process killed, on bad folders.

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import {
  countAcknowledged,
  expectWhole,
  type Ledger,
  openLedgers,
  sendAll,
  unlimited,
} from '../support/faults/ledger.ts';
import { type MayflyProcess, runMayfly, startMayfly } from '../support/service/mayfly-process.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { createRandom, fuzzSeed } from '../support/random.ts';

const seed = fuzzSeed();

async function start(dataDir: string): Promise<MayflyProcess> {
  const mayfly = await startMayfly(dataDir, unlimited);
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return mayfly;
}

/** Returns the output of the command; fails when the command fails. */
async function run(dataDir: string, ...words: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await runMayfly(dataDir, words, unlimited);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

async function refusal(dataDir: string, ...words: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await runMayfly(dataDir, words, unlimited);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^mayfly: [^\n]*\n$/);
  return stderr;
}

/** Sends until stopped; slowly, since whatever is sent while the command starts, however long that takes, is read back. */
function keepSending(mayfly: MayflyProcess, ledgers: readonly Ledger[]): () => Promise<void> {
  let isOver = false;
  const sending = sendAll(mayfly, ledgers, {
    random: createRandom(seed),
    isOver: () => isOver,
    paceMs: 200,
  });
  return () => {
    isOver = true;
    return sending;
  };
}

async function acknowledged(ledgers: readonly Ledger[], count: number): Promise<void> {
  await expect.poll(() => countAcknowledged(ledgers), { timeout: 120_000 }).toBeGreaterThan(count);
}

describe('a backup under load', { timeout: 300_000 }, () => {
  it(`holds everything acknowledged before it, and nothing in part (FUZZ_SEED=${seed})`, async () => {
    const [dataDir, folder, restored] = [await useDataFolder(), await useDataFolder(), await useDataFolder()];
    const mayfly = await start(dataDir);
    const ledgers = await openLedgers(mayfly, 4);
    const stop = keepSending(mayfly, ledgers);
    await acknowledged(ledgers, 120);
    const before = ledgers.map((ledger) => ({ ...ledger, acknowledged: new Set(ledger.acknowledged) }));
    expect(await run(dataDir, 'backup', folder)).toMatch(
      /^Backup in .*: 4 live sessions, \d+ messages, \d+ other files\.\n$/,
    );
    await acknowledged(ledgers, countAcknowledged(ledgers) + 50);
    await stop();
    for (const ledger of ledgers) await expectWhole(mayfly, ledger);
    expect((await readdir(dataDir)).filter((name) => name.includes('copy'))).toEqual([]);

    expect(await run(restored, 'restore', folder)).toMatch(/4 live sessions/);
    const other = await start(restored);
    // Messages sent during the copy may or may not be in it; those that are must be whole.
    for (const [at, ledger] of before.entries()) {
      await expectWhole(other, { ...ledger, sent: ledgers[at]?.sent ?? new Set() });
    }
  });

  it('interrupted by a kill -9 of the service is refused, and the service lost nothing', async () => {
    const [dataDir, restored] = [await useDataFolder(), await useDataFolder()];
    const ledgers: Ledger[] = [];
    let isInterrupted = false;
    while (!isInterrupted) {
      const [mayfly, folder] = [await start(dataDir), await useDataFolder()];
      const added = await openLedgers(mayfly, 2);
      ledgers.push(...added);
      const stop = keepSending(mayfly, added);
      await acknowledged(added, 120);
      isInterrupted = await interrupt(mayfly, { dataDir, folder });
      await stop();
      if (!isInterrupted) continue;
      expect(await refusal(restored, 'restore', folder)).toContain('is not a finished backup');
    }
    const again = await start(dataDir);
    expect((await readdir(dataDir)).filter((name) => name.includes('copy'))).toEqual([]);
    for (const ledger of ledgers) await expectWhole(again, ledger);
  });
});

/** Kills the service while it copies. Returns false if the copy was finished first. */
async function interrupt(
  mayfly: MayflyProcess,
  { dataDir, folder }: { readonly dataDir: string; readonly folder: string },
): Promise<boolean> {
  let isDone = false;
  const backup = runMayfly(dataDir, ['backup', folder], unlimited).finally(() => {
    isDone = true;
  });
  while (!isDone && !(await readdir(dataDir)).includes('mayfly.db.copy')) await delay(1);
  await mayfly.stop('SIGKILL');
  const { status } = await backup;
  expect([0, 1]).toContain(status);
  return status === 1;
}

describe('a backup without a running service', () => {
  it('holds keys, certificate and the operator’s mail too', async () => {
    const [dataDir, folder] = [await useDataFolder(), await useDataFolder()];
    const mayfly = await start(dataDir);
    const [ledger] = (await openLedgers(mayfly, 1)) as [Ledger];
    expect(await mayfly.stop()).toBe(0);
    await mkdir(path.join(dataDir, 'operator', 'new'), { recursive: true });
    await writeFile(path.join(dataDir, 'operator', 'new', '1.letter'), 'Subject: abuse\r\n\r\n');
    await run(dataDir, 'backup', folder);
    const manifest = JSON.parse(await readFile(path.join(folder, 'backup.json'), 'utf8')) as {
      files: object;
    };
    const files = ['mayfly.db', 'operator/new/1.letter', 'server.key', 'tls/cert.pem', 'tls/key.pem'];
    expect(Object.keys(manifest.files).sort()).toEqual(files);

    const kept = await useDataFolder();
    await run(kept, 'restore', folder);
    expect(await readFile(path.join(kept, 'operator', 'new', '1.letter'), 'utf8')).toContain('abuse');
    expect((await (await start(kept)).call('/session', ledger.lent.token)).status).toBe(200);
  });
});

describe('impossible backups are refused in one line', () => {
  it('a folder that is not empty, on either side', async () => {
    const [dataDir, folder] = [await useDataFolder(), await useDataFolder()];
    await (await start(dataDir)).stop();
    await writeFile(path.join(folder, 'mine'), '');
    expect(await refusal(dataDir, 'backup', folder)).toContain('is not empty');
    const good = path.join(await useDataFolder(), 'made');
    await run(dataDir, 'backup', good);
    expect(await refusal(dataDir, 'restore', good)).toContain('is not empty: nothing there is overwritten');
  });

  it('a file that was changed, a list that names others, a store of a newer version', async () => {
    const [dataDir, folder] = [await useDataFolder(), path.join(await useDataFolder(), 'made')];
    await (await start(dataDir)).stop();
    await run(dataDir, 'backup', folder);
    const list = path.join(folder, 'backup.json');
    const text = await readFile(list, 'utf8');
    await writeFile(list, text.replace('tls/key.pem', '../key.pem'));
    expect(await refusal(await useDataFolder(), 'restore', folder)).toContain(
      'cannot be read by this version of Mayfly',
    );
    await writeFile(list, text);
    const store = path.join(folder, 'mayfly.db');
    const bytes = await readFile(store);
    bytes[bytes.length - 1]! ^= 1;
    await writeFile(store, bytes);
    expect(await refusal(await useDataFolder(), 'restore', folder)).toContain(
      'differs from what was backed up',
    );
    expect(await refusal(await useDataFolder(), 'restore', await useDataFolder())).toContain(
      'is not a finished backup',
    );
  });
});
