// R10: a clock that jumps (libfaketime) by hours, by years, and back. Ended sessions stay ended, others live, mail is
// accepted throughout, and ids stay in order.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, it } from 'vitest';

import { findFaketime } from '../support/servers/faketime.ts';
import { report } from '../support/faults/fault-scale.ts';
import type { Lent, MayflyProcess } from '../support/service/mayfly-process.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { startUnderFault, useOnce } from '../support/faults/service-under-fault.ts';

/** Ended sessions are reported as such for a day. */
async function stateOf(mayfly: MayflyProcess, { token }: Lent): Promise<'live' | 'ended'> {
  const { status } = await mayfly.call('/session', token);
  expect([200, 401, 410]).toContain(status);
  return status === 200 ? 'live' : 'ended';
}

it('jumps of the clock end only what is due, and bring nothing back', { timeout: 300_000 }, async () => {
  const stamp = path.join(await useDataFolder(), 'faketime');
  await writeFile(stamp, '+0');
  const mayfly = await startUnderFault({
    LD_PRELOAD: findFaketime(),
    FAKETIME_TIMESTAMP_FILE: stamp,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    MAYFLY_SESSION_LIFETIME_MAX_SECONDS: String(7 * 86_400),
  });
  const jump = (offset: string): Promise<void> => writeFile(stamp, offset);
  const short = await mayfly.lend({ lifetime: '60' });
  const long = await mayfly.lend({ lifetime: String(6 * 86_400) });
  const states: string[][] = [];
  for (const offset of ['+0', '-1h', '+2m', '-1d', '+1h', '+5d', '-30d', '+0']) {
    await jump(offset);
    await useOnce(mayfly, long, '127.0.0.1');
    states.push([offset, await stateOf(mayfly, short), await stateOf(mayfly, long)]);
  }
  expect(states).toEqual([
    ['+0', 'live', 'live'],
    ['-1h', 'live', 'live'],
    // Due from here on, and gone for good.
    ...['+2m', '-1d', '+1h', '+5d', '-30d', '+0'].map((offset) => [offset, 'ended', 'live']),
  ]);
  const ids = (await mayfly.checkMail(long.token)).map(({ id }) => id);
  expect(ids).toEqual([...ids].sort((one, other) => other - one));
  expect(new Set(ids).size).toBe(8);
  await jump('+400d');
  await expect.poll(() => stateOf(mayfly, long)).toBe('ended');
  await jump('+13y');
  // Beyond 2038.
  const later = await mayfly.lend({ lifetime: '3600' });
  await useOnce(mayfly, later, '127.0.0.1');
  await jump('+0');
  expect(await stateOf(mayfly, long)).toBe('ended');
  expect(await stateOf(mayfly, later)).toBe('live');
  expect((await mayfly.call('/readyz')).status).toBe(200);
  expect(mayfly.log).not.toContain('"level":"error"');
  expect(await mayfly.stop()).toBe(0);
  report('R10 clock', { jumps: 11, 'brought back': 0, 'ended early': 0 });
});
