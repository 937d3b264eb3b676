import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';

import { deliveryOf, newSession } from '../../../test/contract/store-fixture.ts';
import type { Session } from '../../domain/session.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { storeDefaults } from '../../../test/support/service/store-defaults.ts';

it('refuses no message for what memory says of a session: the file is read again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-known-'));
  const file = join(folder, 'mayfly.db');
  const store = openSqliteStore({
    ...storeDefaults,
    file,
    quota: { messages: 10, bytes: 10_000 },
    onBroken: (error) => {
      throw error;
    },
  });
  const beside = new Database(file);
  onTestFinished(async () => {
    beside.close();
    await store.close();
    await rm(folder, { recursive: true });
  });
  const session = (await store.mail.createSession(newSession())) as Session;
  beside.exec('UPDATE session_states SET seq = 5, version = 5');
  expect(await store.mail.deliver([deliveryOf(session)])).toMatchObject([{ outcome: 'stored', id: 6 }]);
  beside.exec('UPDATE session_states SET message_count = 10');
  expect(await store.mail.deliver([deliveryOf(session)])).toEqual([{ outcome: 'full' }]);
});
