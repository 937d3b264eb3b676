// The contents of the built service's webhooks, across a crash and in the store.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';

import { type ReceivedWebhook, startSink } from '../support/servers/webhook-sink.ts';
import { startMayfly } from '../support/service/mayfly-process.ts';
import { forOperator, received, send, startWithHooks as start } from '../support/service/webhook-fixture.ts';

function countContents(dataDir: string): number {
  const database = new Database(path.join(dataDir, 'mayfly.db'), { readonly: true });
  try {
    return database.prepare<[], number>('SELECT count(*) FROM outbox_contents').pluck().get() ?? -1;
  } finally {
    database.close();
  }
}

it('says that its content is gone where a crash came before it was kept, and sends it of other mail', async () => {
  const sink = await startSink();
  const { mayfly, dataDir, settings } = await start(forOperator(sink));
  const well = sink.answer;
  sink.answer = (_one, response) => response.writeHead(500).end();
  const lent = await mayfly.lend();
  await send(mayfly, lent, 'lost');
  await send(mayfly, lent, 'kept');
  await received(sink, 2);
  await expect.poll(() => countContents(dataDir)).toBe(2);
  await mayfly.stop('SIGKILL');
  // As if it had been killed between the two commits.
  const database = new Database(path.join(dataDir, 'mayfly.db'));
  expect(database.prepare('DELETE FROM outbox_contents WHERE message_seq = 1').run().changes).toBe(1);
  database.close();
  const before = sink.received.length;
  sink.answer = well;
  const again = await startMayfly(dataDir, { MAYFLY_LIMITS_RATE: 'off', ...settings });
  onTestFinished(async () => {
    await again.stop('SIGKILL');
  });
  const seen = (): ReceivedWebhook['content'][] =>
    sink.received
      .slice(before)
      .map(({ content }) => content)
      .sort((one, other) => Number(one.data['seq']) - Number(other.data['seq']));
  await expect.poll(() => seen().length, { timeout: 60_000 }).toBe(2);
  const session = expect.stringMatching(/^ses_/) as unknown;
  expect(seen()).toMatchObject([
    { type: 'message.received' },
    { type: 'message.received', data: { id: 2, message: { subject: 'kept', code: '482913' } } },
  ]);
  expect(seen()[0]!.data).toEqual({ session, seq: 1, id: 1, email: lent.email, content: 'gone' });
  await expect.poll(() => countContents(dataDir)).toBe(0);
}, 300_000);

it('keeps nothing readable of the mail, and nothing at all of what was sent, deleted or ended', async () => {
  const sink = await startSink();
  const { mayfly, dataDir } = await start(forOperator(sink));
  const well = sink.answer;
  sink.answer = (_one, response) => response.writeHead(500).end();
  const [lent, ended] = [await mayfly.lend(), await mayfly.lend()];
  await send(mayfly, lent, 'Marker-of-the-subject');
  await send(mayfly, lent, 'deleted');
  await send(mayfly, ended, 'ended');
  await expect.poll(() => countContents(dataDir)).toBe(3);
  const files = await Promise.all(
    ['mayfly.db', 'mayfly.db-wal'].map((name) => readFile(path.join(dataDir, name))),
  );
  for (const bytes of files) expect(bytes.includes('Marker-of-the-subject')).toBe(false);
  const post = (operation: string, token: string): Promise<Response> =>
    fetch(`${mayfly.origin}/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
  expect((await post('delete-mail?id=2', lent.token)).status).toBe(200);
  expect((await post('end-session', ended.token)).status).toBe(200);
  expect(countContents(dataDir)).toBe(1);
  sink.answer = well;
  await expect.poll(() => countContents(dataDir), { timeout: 40_000 }).toBe(0);
}, 300_000);
