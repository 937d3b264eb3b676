import { expect, it } from 'vitest';

import type { SessionKey } from '../../domain/session.ts';
import { createSessionCaps, type SessionCaps } from './session-caps.ts';

function open(perAddress: number): { caps: SessionCaps; time: { now: number } } {
  const time = { now: 1_000_000 };
  const finder = { countLive: () => Promise.resolve(0) } as Parameters<typeof createSessionCaps>[0]['finder'];
  const caps = createSessionCaps({ finder, perAddress, total: Infinity, clock: () => time.now });
  return { caps, time };
}

function session(number: number, expiresAt: number): { key: SessionKey; expiresAt: number } {
  const key = new Uint8Array(16);
  new DataView(key.buffer).setUint32(0, number);
  return { key: key as SessionKey, expiresAt };
}

it('forgets sessions that have expired, for every creator', async () => {
  const { caps, time } = open(1);
  caps.recordMade('192.0.2.1', session(1, time.now + 1000));
  await expect(caps.check('192.0.2.1')).rejects.toThrow('too_many_sessions');
  time.now += 1001;
  await caps.check('192.0.2.1');
});

it('knows nothing of a session that it has not seen made', async () => {
  const { caps, time } = open(1);
  caps.recordMade('192.0.2.1', session(1, time.now + 1000));
  caps.recordChanged(session(2, 0), null);
  await expect(caps.check('192.0.2.1')).rejects.toThrow('1 sessions from your network');
  caps.recordChanged(session(1, 0), null);
  await caps.check('192.0.2.1');
});

it('counts a session until the end that it was given later', async () => {
  const { caps, time } = open(1);
  caps.recordMade('192.0.2.1', session(1, time.now + 1000));
  caps.recordChanged(session(1, 0), time.now + 5000);
  time.now += 4999;
  await expect(caps.check('192.0.2.1')).rejects.toThrow('too_many_sessions');
  time.now += 1;
  await caps.check('192.0.2.1');
});
