import { expect, it, onTestFinished } from 'vitest';

import type { NewRefusal } from '../../store/refusal-store.ts';
import { createEarlyRefusals, type EarlyRefusal } from './early-refusals.ts';

const hourMs = 3_600_000;

function open() {
  const written: NewRefusal[][] = [];
  const swept: object[] = [];
  let now = Date.UTC(2026, 0, 8);
  const refusals = createEarlyRefusals({
    store: {
      addRefusals: async (added) => void written.push([...added]),
      listRefusals: async () => [],
      sweepRefusals: async (kept) => void swept.push(kept),
    },
    onError: (error) => {
      throw error;
    },
    clock: () => now,
    everyMs: hourMs,
  });
  onTestFinished(() => refusals.close());
  const advance = (ms: number): void => {
    now += ms;
  };
  return { refusals, written, swept, advance, now: () => now };
}

const blocked: EarlyRefusal = { stage: 'connect', cause: 'blocked_network', remoteAddress: '192.0.2.7' };

it('adds up refusals of a network by stage and cause, with the latest host, name and sender', async () => {
  const { refusals, written, swept, now } = open();
  refusals.record(blocked);
  refusals.record({ ...blocked, remoteAddress: '192.0.2.9' });
  refusals.record({
    stage: 'mail',
    cause: 'blocked_sender',
    remoteAddress: '2001:db8:1:2::3',
    helo: 'mx.spam.example',
    mailFrom: 'Somebody@Spam.Example',
  });
  refusals.record({ ...blocked, cause: 'bad_proxy_header', remoteAddress: null });
  await refusals.flush();
  const nothing = { host: null, helo: '', sender: null, lastAt: now() };
  expect(written).toEqual([
    [
      {
        ...nothing,
        network: '192.0.2.0/24',
        stage: 'connect',
        cause: 'blocked_network',
        count: 2,
        host: '192.0.2.9',
      },
      {
        ...nothing,
        network: '2001:db8:1::/48',
        stage: 'mail',
        cause: 'blocked_sender',
        count: 1,
        host: '2001:db8:1:2::3',
        helo: 'mx.spam.example',
        sender: 'spam.example',
      },
      { ...nothing, network: '', stage: 'connect', cause: 'bad_proxy_header', count: 1 },
    ],
  ]);
  expect(swept).toEqual([{ before: now() - 7 * 24 * hourMs, rowsMax: 20_000 }]);
  await refusals.flush();
  expect(written).toHaveLength(1);
});

it('writes a bounded number of rows of bounded size in a flood, and counts all of it', async () => {
  const { refusals, written, advance } = open();
  for (let at = 0; at < 50_000; at += 1) {
    const remoteAddress = `198.${at % 250}.${(at >> 8) % 250}.1`;
    refusals.record({ ...blocked, remoteAddress, helo: '\u{1f600}\n'.repeat(500) });
    if (at % 10_000 === 0) await refusals.flush();
  }
  refusals.record({ stage: 'tls', cause: 'handshake_failed', remoteAddress: '192.0.2.1' });
  await refusals.flush();
  const rows = new Map(
    written.flat().map((row) => [[row.network, row.stage, row.cause].join(' '), row] as const),
  );
  expect(rows.size).toBeLessThanOrEqual(52);
  expect(rows.has('192.0.2.0/24 tls handshake_failed')).toBe(true);
  expect(written.flat().reduce((sum, { count }) => sum + count, 0)).toBe(50_001);
  expect(Math.max(...written.flat().map((row) => JSON.stringify(row).length))).toBeLessThan(400);
  advance(hourMs);
  await refusals.flush();
  refusals.record({ ...blocked, remoteAddress: '203.0.113.1' });
  await refusals.flush();
  expect(written.at(-1)).toMatchObject([{ network: '203.0.113.0/24' }]);
});
