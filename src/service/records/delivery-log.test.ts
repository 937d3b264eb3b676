import { describe, expect, it } from 'vitest';

import {
  openServices,
  plainMail,
  type Services,
  toIncoming,
} from '../../../test/support/service/service-fixture.ts';
import type { Session } from '../../domain/session.ts';
import { checkMail } from '../mail/check-mail.ts';
import { deleteMail } from '../changes/delete-mail.ts';
import { createDeliveryLog, type DeliveryLog, type LoggedAttempt } from './delivery-log.ts';
import { receiveMessage } from '../receiving/receive-message.ts';

const refused = {
  reply: '452 4.2.2 Recipient is over quota',
  sizeBytes: 1234,
  remoteAddress: '192.0.2.9',
  tls: 'TLSv1.3 TLS_AES_256_GCM_SHA384',
  mailFrom: null,
};

/** A log whose seconds pass only on request. */
function openLog({ store }: Services): DeliveryLog & { pass(ms: number): void } {
  let now = 0;
  const log = createDeliveryLog({
    mail: store.mail,
    attempts: store.attempts,
    onError: (error) => {
      throw error;
    },
    clock: () => now,
  });
  return {
    ...log,
    pass: (ms) => {
      now += ms;
      store.clock.advance(ms);
    },
  };
}

function inShort(attempts: readonly LoggedAttempt[]): unknown[] {
  return attempts.map(({ outcome, messageId, at }) => [outcome, messageId, at]);
}

async function receive(services: Services, session: Session, subject: string): Promise<string> {
  const message = toIncoming(plainMail(subject), { mailFrom: 'sender@example.org' }, { tls: 'TLSv1.2 X' });
  return (await receiveMessage(services.deps, message, [session])).ingestId;
}

describe('an accepted attempt', () => {
  it('is reported with everything in its message’s row', async () => {
    const services = await openServices();
    const session = await services.lend();
    const ingestId = await receive(services, session, 'secret subject');
    expect(await services.deps.deliveryLog.listAttempts(session)).toEqual([
      {
        at: services.store.clock.now(),
        outcome: 'accepted',
        reply: `250 2.0.0 OK ${ingestId}`,
        sizeBytes: plainMail('secret subject').length,
        remoteAddress: '192.0.2.7',
        tls: 'TLSv1.2 X',
        mailFrom: 'sender@example.org',
        messageId: 1,
      },
    ]);
  });

  it('is reported the same after deletion, except that it cannot be read', async () => {
    const services = await openServices();
    const { deliveryLog } = services.deps;
    const session = await services.lend();
    await receive(services, session, 'secret subject');
    services.store.clock.advance(5000);
    const [before] = await deliveryLog.listAttempts(session);
    await deleteMail(services.deps, session, 1);
    const after = await deliveryLog.listAttempts(session);
    expect(after).toEqual([{ ...before, messageId: null }]);
    expect(JSON.stringify(after)).not.toContain('secret');
  });

  it('costs the store nothing while its message is there', async () => {
    const services = await openServices();
    const session = await services.lend();
    await receive(services, session, 'x');
    expect(await services.store.attempts.listAttempts(session.key)).toEqual([]);
  });
});

describe('a refused attempt', () => {
  it('is reported to each session it concerns and to no other', async () => {
    const services = await openServices();
    const log = openLog(services);
    const [one, two, other] = [await services.lend(), await services.lend(), await services.lend()];
    log.recordRefusal([one, 'operator', two], refused);
    const logged = { ...refused, at: services.store.clock.now(), outcome: 'refused', messageId: null };
    expect(await log.listAttempts(one)).toEqual([logged]);
    expect(await log.listAttempts(two)).toEqual([logged]);
    expect(await log.listAttempts(other)).toEqual([]);
  });

  it('is kept at most once a second of each session', async () => {
    const services = await openServices();
    const log = openLog(services);
    const [one, two] = [await services.lend(), await services.lend()];
    const at = services.store.clock.now();
    for (let ms = 0; ms < 3000; ms += 100) {
      log.recordRefusal([one, one], refused);
      if (ms === 500) log.recordRefusal([two], refused);
      log.pass(100);
    }
    expect((await log.listAttempts(one)).map((attempt) => attempt.at - at)).toEqual([2000, 1000, 0]);
    expect(await log.listAttempts(two)).toHaveLength(1);
  });

  it('is logged for the operator when it cannot be recorded, and harms no delivery', async () => {
    const services = await openServices();
    const session = await services.lend();
    const failure = new Error('no disk');
    const logged = await new Promise((resolve) => {
      const log = createDeliveryLog({
        mail: services.store.mail,
        attempts: { addAttempt: () => Promise.reject(failure), listAttempts: () => Promise.resolve([]) },
        onError: resolve,
      });
      log.recordRefusal([session], refused);
    });
    expect(logged).toBe(failure);
  });

  it('is dropped when its session has ended', async () => {
    const services = await openServices();
    const log = openLog(services);
    const session = await services.lend();
    await services.store.mail.endSession(session.key);
    log.recordRefusal([session], refused);
    await expect(log.listAttempts(session)).rejects.toMatchObject({ code: 'session_expired' });
  });
});

describe('the log', () => {
  it('goes back fifty attempts, newest first, whatever became of them', async () => {
    const services = await openServices();
    const log = openLog(services);
    const session = await services.lend();
    const start = services.store.clock.now();
    const expected: unknown[] = [];
    for (let i = 0; i < 60; i++) {
      const at = start + i * 1000;
      if (i % 3 === 0) {
        log.recordRefusal([session], refused);
        expected.unshift(['refused', null, at]);
      } else {
        await receive(services, session, 'x');
        const { seq } = await services.refresh(session);
        if (i % 3 === 1) await deleteMail(services.deps, session, seq);
        expected.unshift(['accepted', i % 3 === 1 ? null : seq, at]);
      }
      log.pass(1000);
    }
    expect(inShort(await log.listAttempts(session))).toEqual(expected.slice(0, 50));
    expect(await checkMail(services.deps, await services.refresh(session))).toHaveLength(20);
  });

  it('begins with the address’s present session', async () => {
    const services = await openServices();
    const log = openLog(services);
    const first = await services.lend('fox');
    log.recordRefusal([first], refused);
    await receive(services, first, 'x');
    expect(await log.listAttempts(first)).toHaveLength(2);
    await services.store.mail.endSession(first.key);
    const second = await services.lend('fox');
    expect(second.address).toBe(first.address);
    expect(await log.listAttempts(second)).toEqual([]);
  });
});
