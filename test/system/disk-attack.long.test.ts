// The attack of disk-attack.test.ts on 1,000 live and 1,000 ended sessions with 10,000 mails.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { attack } from '../support/attacker/attack.ts';
import { fillForAttack, readFolders, readSqliteColumns } from '../support/attacker/attacked-service.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { runMayfly, startMayfly } from '../support/service/mayfly-process.ts';

it('nothing on the disk opens any of 10,000 mails of 2,000 sessions', async () => {
  const dataDir = await useDataFolder();
  const backups = await mkdtemp(path.join(tmpdir(), 'mayfly-attack-'));
  onTestFinished(() => rm(backups, { recursive: true, force: true }));
  const mayfly = await startMayfly(dataDir, { MAYFLY_LIMITS_RATE: 'off' });
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  const backUp = async (name: string): Promise<void> => {
    expect(await runMayfly(dataDir, ['backup', path.join(backups, name)])).toMatchObject({ status: 0 });
  };
  const attacked = await fillForAttack(mayfly, { live: 1000, ended: 1000, mailsEach: 5 }, () =>
    backUp('before'),
  );
  await backUp('after');
  await mayfly.stop('SIGKILL');
  const files = await readFolders(dataDir, backups);
  files.set('the log', Buffer.from(mayfly.log));
  const serverKey = files.get(path.join(dataDir, 'server.key')) ?? Buffer.alloc(32, 1);
  for (const file of [path.join(dataDir, 'mayfly.db'), path.join(backups, 'before', 'mayfly.db')]) {
    const disk = { files, columns: readSqliteColumns(file), serverKey };
    expect(attack(disk, attacked)).toEqual({ opened: 0, privateKeys: 0, texts: [] });
  }
});
