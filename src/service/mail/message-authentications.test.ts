import { expect, it, onTestFinished, vi } from 'vitest';

import { type Authentication, unfinishedAuthentication } from '#mail-receiver/authentication';
import { createGate } from '../../../test/support/gate.ts';
import {
  openServices,
  plainMail,
  type Services,
  toIncoming,
} from '../../../test/support/service/service-fixture.ts';
import type { MessageAuthenticator } from '#mail-threads/authenticate-message';
import type { StoredMessage } from '../../store/mail-store.ts';
import { createMessageAuthentications, noAuthentications } from './message-authentications.ts';
import type { OpenSession } from '../session/session-access.ts';

const none = { result: 'none', domain: null, reason: null } as const;
const known: Authentication = {
  spf: { result: 'pass', domain: 'example.org', reason: null },
  dkim: { ...none, signatures: [] },
  dmarc: { ...none, policy: null, isTesting: false },
  arc: none,
};
const open = unfinishedAuthentication('DNS timeout');

type Request = Parameters<MessageAuthenticator['authenticate']>[0];

/** Checks with an authenticator that records its calls and gives scripted answers. */
function createChecks(
  { store }: Services,
  answer: (request: Request) => Promise<Authentication | undefined>,
) {
  const asked: Request[] = [];
  const errors: unknown[] = [];
  const time = { now: 0 };
  const keep = vi.spyOn(store.mail, 'keepAuthentication');
  const checks = createMessageAuthentications({
    mail: store.mail,
    authenticator: {
      authenticate: (request) => {
        asked.push(request);
        return answer(request);
      },
      close: () => Promise.resolve(),
    },
    onError: (error) => errors.push(error),
    now: () => time.now,
  });
  onTestFinished(() => checks.close());
  const countKept = (): number => keep.mock.settledResults.filter(({ type }) => type === 'fulfilled').length;
  return { checks, asked, errors, time, countKept };
}

async function deliverOne(services: Services, raw = plainMail('x')): Promise<[OpenSession, StoredMessage]> {
  const session = await services.lend();
  const id = await services.deliver(raw, session);
  const stored = await services.store.mail.findMessage(session.key, id);
  if (!stored) throw new Error('The message is gone.');
  return [session, stored];
}

it('checks the message as it came, and the From domain that readers are shown', async () => {
  const services = await openServices();
  const [session, stored] = await deliverOne(services);
  const { checks, asked } = createChecks(services, () => Promise.resolve(known));
  expect(await checks.find(session, stored, 1000)).toEqual(known);
  expect(asked).toEqual([
    {
      raw: new Uint8Array(Buffer.from(plainMail('x'))),
      remoteAddress: '192.0.2.7',
      helo: 'client.example',
      mailFrom: 'sender@example.org',
      fromDomain: 'example.org',
    },
  ]);
});

it('checks once for all who ask at once, and not again', async () => {
  const services = await openServices();
  const message = await deliverOne(services);
  const { checks, asked } = createChecks(services, () => Promise.resolve(known));
  checks.begin(...message);
  expect(await Promise.all([checks.find(...message, 1000), checks.find(...message, 1000)])).toEqual([
    known,
    known,
  ]);
  await checks.close();
  const later = createChecks(services, () => Promise.resolve(open));
  expect(await later.checks.find(...message, 1000)).toEqual(known);
  expect([asked.length, later.asked.length]).toEqual([1, 0]);
});

it('keeps the results sealed', async () => {
  const services = await openServices();
  const [session, stored] = await deliverOne(services);
  const { checks } = createChecks(services, () => Promise.resolve(known));
  await checks.find(session, stored, 1000);
  await checks.close();
  const kept = await services.store.mail.findAuthentication(session.key, stored.id);
  expect(kept?.length).toBeGreaterThan(100);
  expect(Buffer.from(kept ?? []).includes('pass')).toBe(false);
});

it('answers before the results are stored, and checks no second time meanwhile', async () => {
  const services = await openServices();
  const message = await deliverOne(services);
  const gate = createGate();
  const { mail } = services.store;
  const keep = mail.keepAuthentication.bind(mail);
  const { checks, asked } = createChecks(services, () => Promise.resolve(known));
  vi.spyOn(mail, 'keepAuthentication').mockImplementation(async (...args) => {
    await gate.pass();
    return keep(...args);
  });
  expect(await checks.find(...message, 60_000)).toEqual(known);
  await gate.reached;
  expect(await checks.find(...message, 60_000)).toEqual(known);
  expect(await checks.find(...message, 0)).toEqual(known);
  expect(asked).toHaveLength(1);
  gate.open();
  await checks.close();
  const [session, stored] = message;
  expect(await mail.findAuthentication(session.key, stored.id)).toBeDefined();
});

it('answers in time when the check is slow, and keeps what it finds then', async () => {
  const services = await openServices();
  const message = await deliverOne(services);
  const gate = createGate();
  const { checks } = createChecks(services, async () => {
    await gate.pass();
    return known;
  });
  expect(await checks.find(...message, 0)).toBeNull();
  expect(await checks.find(...message, 20)).toEqual(unfinishedAuthentication('not known yet'));
  const waiting = checks.find(...message, 5000);
  gate.open();
  expect(await waiting).toEqual(known);
  expect(await checks.find(...message, 0)).toEqual(known);
});

it('checks again what was left open, a minute later and not for ever', async () => {
  const services = await openServices();
  const message = await deliverOne(services);
  const { checks, asked, time, countKept } = createChecks(services, () => Promise.resolve(open));
  await checks.find(...message, 1000);
  await checks.find(...message, 1000);
  expect(asked).toHaveLength(1);
  for (let attempts = 2; attempts < 9; attempts++) {
    time.now += 60_001;
    const count = async (): Promise<number> => {
      expect(await checks.find(...message, 1000)).toEqual(open);
      return countKept();
    };
    await expect.poll(count).toBe(Math.min(attempts, 5));
    expect(asked).toHaveLength(Math.min(attempts, 5));
  }
  await checks.close();
  expect(asked).toHaveLength(5);
});

it('replaces what was left open by what is known', async () => {
  const services = await openServices();
  const message = await deliverOne(services);
  const answers = [open, known];
  const { checks, time } = createChecks(services, () => Promise.resolve(answers.shift() ?? open));
  await checks.find(...message, 1000);
  time.now = 60_001;
  expect(await checks.find(...message, 1000)).toEqual(open);
  await expect.poll(() => checks.find(...message, 1000)).toEqual(known);
});

it('has nothing to say of a message that goes before or while it is checked', async () => {
  const services = await openServices();
  const [session, stored] = await deliverOne(services);
  const gate = createGate();
  const { checks, asked, errors } = createChecks(services, async () => {
    await gate.pass();
    return known;
  });
  const waiting = checks.find(session, stored, 5000);
  await gate.reached;
  await services.store.mail.deleteMessage(session.key, stored.id);
  gate.open();
  expect(await waiting).toEqual(known);
  expect(await services.store.mail.findAuthentication(session.key, stored.id)).toBeUndefined();
  await checks.find(session, stored, 1000);
  expect(asked).toHaveLength(1);
  expect(errors).toEqual([]);
});

it('has so many whole messages in memory at once, and of the large ones one', async () => {
  const services = await openServices({ limits: { sessionBytes: 1e9 } });
  const gate = createGate();
  const most = { small: 0, large: 0 };
  const running = { small: 0, large: 0 };
  const { checks, asked } = createChecks(services, async ({ raw }) => {
    const kind = raw.length > 1_000_000 ? 'large' : 'small';
    running[kind] += 1;
    most[kind] = Math.max(most[kind], running[kind]);
    await gate.pass();
    running[kind] -= 1;
    return known;
  });
  const sessions = await Promise.all(Array.from({ length: 5 }, () => services.lend()));
  const large = plainMail('large', 'x'.repeat(2_000_000));
  for (let at = 0; at < 9; at++) await services.deliver(at < 3 ? large : plainMail('small'), ...sessions);
  const findAll = async (session: OpenSession) => {
    const stored = await services.store.mail.listMessages(session.key, { limit: 99, order: 'oldest-first' });
    return stored.map((message) => checks.find(session, message, 60_000));
  };
  const [first = []] = await Promise.all(sessions.slice(0, 1).map(findAll));
  // A session leaves room for others.
  await expect.poll(() => asked).toHaveLength(5);
  const all = [...first, ...(await Promise.all(sessions.slice(1).map(findAll))).flat()];
  await expect.poll(() => asked).toHaveLength(17);
  gate.open();
  expect(await Promise.all(all)).toEqual(all.map(() => known));
  expect(most).toEqual({ small: 16, large: 1 });
});

it('counts no attempt for which there was no time, and makes the check again however often that was so', async () => {
  const services = await openServices();
  const [session, stored] = await deliverOne(services);
  let isBusy = true;
  const answer = () => Promise.resolve(isBusy ? undefined : known);
  const { checks, asked, time, countKept } = createChecks(services, answer);
  for (let at = 1; at <= 8; at++) {
    const count = async (): Promise<number> => {
      expect(await checks.find(session, stored, 5000)).toMatchObject({ dmarc: { result: 'temperror' } });
      return countKept();
    };
    // The time must not pass while a check is being stored.
    await expect.poll(count).toBe(at);
    expect(asked).toHaveLength(at);
    time.now += 120_000;
  }
  isBusy = false;
  await expect.poll(() => checks.find(session, stored, 5000)).toEqual(known);
});

it('keeps nothing once closed', async () => {
  const services = await openServices();
  const [session, stored] = await deliverOne(services);
  const gate = createGate();
  const { checks } = createChecks(services, async () => {
    await gate.pass();
    return known;
  });
  const waiting = checks.find(session, stored, 5000);
  await gate.reached;
  const closing = checks.close();
  gate.open();
  await closing;
  await waiting;
  expect(await services.store.mail.findAuthentication(session.key, stored.id)).toBeUndefined();
});

it('checks mail that is not stored, within its time', async () => {
  const services = await openServices();
  const gate = createGate();
  const { checks, asked } = createChecks(services, async ({ helo }) => {
    if (helo === 'slow') await gate.pass();
    return known;
  });
  expect(await checks.check(toIncoming(plainMail('x')), 5000)).toEqual(known);
  expect(Buffer.from(asked[0]?.raw ?? []).toString()).toBe(plainMail('x'));
  expect(await checks.check(toIncoming(plainMail('x'), {}, { helo: 'slow' }), 20)).toBeUndefined();
  gate.open();
});

it('reads nothing of mail whose sender has waited long enough', async () => {
  const services = await openServices();
  const gate = createGate();
  const { checks } = createChecks(services, async () => {
    await gate.pass();
    return known;
  });
  const incoming = toIncoming(plainMail('x'));
  const before = Array.from({ length: 20 }, () => checks.check(incoming, 60_000));
  await gate.reached;
  const pieces = vi.fn(() => incoming.raw.pieces());
  expect(await checks.check({ ...incoming, raw: { ...incoming.raw, pieces } }, 20)).toBeUndefined();
  const after = checks.check(incoming, 60_000);
  gate.open();
  expect(await Promise.all([...before, after])).toEqual(Array(21).fill(known));
  expect(pieces).not.toHaveBeenCalled();
});

it('does not know mail whose bytes cannot be had, and says so in the log', async () => {
  const services = await openServices();
  const { checks, errors } = createChecks(services, () => Promise.resolve(known));
  const incoming = toIncoming(plainMail('x'));
  const pieces = (): never => {
    throw new Error('the file is gone');
  };
  expect(await checks.check({ ...incoming, raw: { ...incoming.raw, pieces } }, 1000)).toBeUndefined();
  expect(errors).toEqual([new Error('the file is gone')]);
});

it('says nothing where checks are off', async () => {
  const message = await deliverOne(await openServices());
  noAuthentications.begin(...message);
  expect(await noAuthentications.find(...message, 1000)).toBeNull();
  expect(await noAuthentications.check(toIncoming('x'), 1000)).toBeUndefined();
  await noAuthentications.close();
});
