import { expect, it } from 'vitest';

import { createServiceTurns } from '../session/service-turns.ts';
import type { Session } from '../../domain/session.ts';
import type { SessionTextStore } from '../../store/session-text-store.ts';
import { beginOnce, type BeginOnceDeps } from './begin-once.ts';

const session = {
  key: Buffer.alloc(16, 1),
  salt: Buffer.alloc(16, 2),
  address: 'a@b.example',
} as unknown as Session;
const call = { caller: 'resend', key: 'k', payload: 'p', lifetimeMs: 1000 };

function createDeps(clock: { at: number }): BeginOnceDeps & { readonly text: () => string | null } {
  let text: string | null = null;
  const sentKeys: SessionTextStore = {
    read: () => Promise.resolve(text),
    replace: (_key, { before, after }) => {
      if (before !== text) return Promise.resolve(false);
      text = after;
      return Promise.resolve(true);
    },
  };
  return { sentKeys, turns: createServiceTurns(1), now: () => clock.at, text: () => text };
}

it('knows a key until its time is over, with the same origins meanwhile', async () => {
  const clock = { at: 1000 };
  const deps = createDeps(clock);
  const first = await beginOnce(deps, session, call);
  clock.at = 1999;
  const again = await beginOnce(deps, session, call);
  expect([first.isKnown, again.isKnown, again.isSame]).toEqual([false, true, true]);
  expect(again.originOf(1)).toEqual(first.originOf(1));
  expect(again.originOf(1)).not.toEqual(first.originOf(0));
  clock.at = 2000;
  const later = await beginOnce(deps, session, call);
  expect(later.isKnown).toBe(false);
  expect(later.originOf(0)).not.toEqual(first.originOf(0));
});

it('tells other payloads, callers and keys apart', async () => {
  const deps = createDeps({ at: 0 });
  await beginOnce(deps, session, call);
  expect((await beginOnce(deps, session, { ...call, payload: 'q' })).isSame).toBe(false);
  expect((await beginOnce(deps, session, { ...call, caller: 'brevo' })).isKnown).toBe(false);
  expect((await beginOnce(deps, session, { ...call, key: 'l' })).isKnown).toBe(false);
});

it('keeps a bounded number of keys, and none as it was given', async () => {
  const deps = createDeps({ at: 0 });
  for (let count = 0; count < 600; count++) {
    await beginOnce(deps, session, { ...call, key: `order-${count}` });
  }
  expect(JSON.parse(deps.text() ?? '')).toHaveLength(500);
  expect(deps.text()).not.toContain('order');
  expect((await beginOnce(deps, session, { ...call, key: 'order-599' })).isKnown).toBe(true);
  expect((await beginOnce(deps, session, { ...call, key: 'order-0' })).isKnown).toBe(false);
});
