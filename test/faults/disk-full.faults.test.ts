// R4: a disk that fills up, in bytes and in inodes: a small tmpfs that only the service sees. Mail is deferred before
// its body is sent, reading and deleting work, and free space restores everything without a restart.

import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, it } from 'vitest';

import { atMost, report } from '../support/faults/fault-scale.ts';
import { openLedgers, sendAll, unlimited, countAcknowledged, expectWhole } from '../support/faults/ledger.ts';
import type { MayflyProcess } from '../support/service/mayfly-process.ts';
import { createRandom } from '../support/random.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { memoryOf } from '../support/faults/service-under-fault.ts';
import { greet } from '../support/smtp/smtp-client.ts';
import { startMayflyIn } from '../support/faults/surroundings.ts';

/** A separate mount; without root in a user namespace. */
const wrapper =
  process.getuid?.() === 0 ? ['unshare', '--mount'] : ['unshare', '--user', '--map-root-user', '--mount'];

async function startOnTmpfs(
  options: string,
  settings: Readonly<Record<string, string>>,
): Promise<{ mayfly: MayflyProcess; inside: string }> {
  const dataDir = await useDataFolder();
  const mount = `mount -t tmpfs -o mode=0700,${options} tmpfs "$MAYFLY_DATA_DIR"`;
  const mayfly = await startMayflyIn(mount, { ...unlimited, ...settings }, { dataDir, wrapper });
  // The path as the service sees it.
  return { mayfly, inside: path.join(`/proc/${mayfly.child.pid}/root`, dataDir) };
}

async function readiness(mayfly: MayflyProcess): Promise<string> {
  const response = await mayfly.call('/readyz');
  return `${response.status} ${((await response.json()) as { message?: string }).message ?? ''}`;
}

async function fillAndFree(
  mayfly: MayflyProcess,
  fill: () => Promise<void>,
  free: () => Promise<void>,
): Promise<void> {
  const ledgers = await openLedgers(mayfly, 2);
  const [first] = ledgers as [(typeof ledgers)[0]];
  const sendMore = (count: number): Promise<void> => {
    const until = countAcknowledged(ledgers) + count;
    return sendAll(mayfly, ledgers, {
      random: createRandom(4),
      isOver: () => countAcknowledged(ledgers) >= until,
    });
  };
  await sendMore(100);
  const memoryBefore = await memoryOf(mayfly);
  await fill();
  await expect.poll(() => readiness(mayfly)).toMatch(/^503 .*the disk is nearly full/);
  expect(await repliesToData(mayfly, first.lent.email, 200)).toEqual([
    '452 4.3.1 Insufficient storage, try again later',
  ]);
  for (const ledger of ledgers) await expectWhole(mayfly, ledger);
  const [oldest] = await mayfly.checkMail(first.lent.token);
  const deleted = await fetch(`${mayfly.origin}/delete-mail`, {
    method: 'POST',
    headers: { authorization: `Bearer ${first.lent.token}` },
    body: new URLSearchParams({ id: String(oldest?.id) }),
  });
  expect(deleted.status).toBe(200);
  const freedAt = performance.now();
  await free();
  await expect.poll(() => readiness(mayfly)).toMatch(/^200/);
  const recoveredMs = Math.round(performance.now() - freedAt);
  await sendMore(50);
  const memory = await memoryOf(mayfly);
  report('R4 full disk', {
    'recovered ms': recoveredMs,
    'RSS before MiB': memoryBefore.now,
    'RSS after MiB': memory.now,
  });
  expect(recoveredMs).toBeLessThan(atMost(10_000));
}

/** Returns the replies to DATA, which must be the same each time. */
async function repliesToData(mayfly: MayflyProcess, email: string, times: number): Promise<string[]> {
  const replies = new Set<string>();
  const client = await greet(mayfly.smtpPort);
  for (let time = 0; time < times; time++) {
    const [, , data = ''] = await client.startData(email);
    replies.add(data);
    await client.command('RSET');
  }
  return [...replies];
}

it('a disk without room', { timeout: 300_000 }, async () => {
  const { mayfly, inside } = await startOnTmpfs('size=160m', { MAYFLY_DISK_FLOOR_BYTES: '60000000' });
  const ballast = path.join(inside, 'ballast');
  await fillAndFree(
    mayfly,
    () => writeFile(ballast, Buffer.alloc(110_000_000)),
    () => rm(ballast),
  );
});

it('a disk without inodes', { timeout: 300_000 }, async () => {
  const { mayfly, inside } = await startOnTmpfs('size=400m,nr_inodes=300', {
    MAYFLY_DISK_FLOOR_BYTES: '1000000',
  });
  await fillAndFree(
    mayfly,
    async () => {
      for (let at = 0; at < 250; at++) await writeFile(path.join(inside, `ballast-${at}`), '');
    },
    async () => {
      for (const name of await readdir(inside)) {
        if (name.startsWith('ballast')) await rm(path.join(inside, name));
      }
    },
  );
});
