import { describe, expect, it } from 'vitest';

import { openServices, plainMail, type Services } from '../../../test/support/service/service-fixture.ts';
import { checkMail, type CheckMailRequest } from './check-mail.ts';
import { readRawMail } from './read-mail.ts';
import { deleteMail } from '../changes/delete-mail.ts';
import { extendSession } from '../addresses/extend-session.ts';
import { readMail } from './read-mail.ts';
import { receiveMessage } from '../receiving/receive-message.ts';
import { toIncoming } from '../../../test/support/service/service-fixture.ts';
import type { OpenSession } from '../session/session-access.ts';

async function listIds(
  { deps }: Services,
  session: OpenSession,
  request?: CheckMailRequest,
): Promise<number[]> {
  return (await checkMail(deps, session, request)).map(({ id }) => id);
}

describe('checkMail', () => {
  it('shows what a list shows of a message', async () => {
    const services = await openServices();
    const session = await services.lend('fox');
    const raw =
      'From: =?utf-8?q?F=C3=BCchse?= <den@example.org>\r\nSubject: Your code\r\n\r\nYour code is 482913.\r\n';
    const receivedAt = services.store.clock.now();
    await services.deliver(raw, session);
    expect(await checkMail(services.deps, await services.refresh(session))).toEqual([
      {
        id: 1,
        senderName: 'Füchse',
        senderEmail: 'den@example.org',
        subject: 'Your code',
        receivedAt,
        sizeBytes: Buffer.byteLength(raw),
        rawSizeBytes: (await readRawMail(services.deps, session, 1)).sizeBytes,
        isRead: false,
        isSpam: false,
        recipients: [session.address],
        tags: [],
        mailFrom: 'sender@example.org',
        preview: 'Your code is 482913.',
        code: '482913',
        hasAttachments: false,
      },
    ]);
  });

  it('has the thread that reads messages started, and kept as long as the session lives', async () => {
    const services = await openServices();
    // The fixture has a clock of its own.
    const session = { ...(await services.lend()), expiresAt: Date.now() + 3_600_000 };
    const kept: number[] = [];
    const readers = { expect: (keepMs = 0): void => void kept.push(keepMs) };
    await checkMail({ ...services.deps, readers }, session);
    expect(kept).toHaveLength(1);
    const leftMs = session.expiresAt - Date.now();
    expect(Math.min(...kept)).toBeGreaterThanOrEqual(leftMs);
  });

  it('is empty for a session without mail', async () => {
    const services = await openServices();
    expect(await checkMail(services.deps, await services.lend())).toEqual([]);
  });

  it('lists newest first; after with limit gives the oldest of the newer', async () => {
    const services = await openServices();
    const session = await services.lend();
    for (let i = 1; i <= 7; i++) await services.deliver(plainMail(`Mail ${i}`), session);
    const now = await services.refresh(session);
    const cases: [CheckMailRequest, number[]][] = [
      [{}, [7, 6, 5, 4, 3, 2, 1]],
      [{ limit: 3 }, [7, 6, 5]],
      [{ before: 4 }, [3, 2, 1]],
      [{ before: 4, limit: 2 }, [3, 2]],
      [{ after: 4 }, [7, 6, 5]],
      [{ after: 2, limit: 3 }, [5, 4, 3]],
      [{ after: 0, limit: 2 }, [2, 1]],
      [{ after: 2, before: 6 }, [5, 4, 3]],
      [{ after: 2, before: 6, limit: 2 }, [4, 3]],
      [{ after: 7 }, []],
      [{ before: 1 }, []],
      [{ after: 5, before: 3 }, []],
      [{ after: Number.MAX_SAFE_INTEGER }, []],
      [{ before: Number.MAX_SAFE_INTEGER, limit: 1 }, [7]],
      [{ limit: 1_000_000 }, [7, 6, 5, 4, 3, 2, 1]],
    ];
    for (const [request, ids] of cases) {
      expect([request, await listIds(services, now, request)]).toEqual([request, ids]);
    }
  });

  it('skips nothing when paging forward, whatever is deleted on the way', async () => {
    const services = await openServices();
    const session = await services.lend();
    for (let i = 1; i <= 7; i++) await services.deliver(plainMail(`Mail ${i}`), session);
    const seen: number[] = [];
    for (let after = 0; ;) {
      const page = await listIds(services, await services.refresh(session), { after, limit: 2 });
      if (page[0] === undefined) break;
      seen.push(...page.reverse());
      after = seen.at(-1) ?? 0;
      if (after === 2) await deleteMail(services.deps, session, 3);
    }
    // The number of the deletion's own entry in the log is no message's.
    expect(seen).toEqual([1, 2, 4, 5, 6, 7]);
  });

  it('shows at most 1,000 messages, whatever is asked for', async () => {
    const services = await openServices({ limits: { sessionMessages: Infinity } });
    const session = await services.lend();
    const many = Array.from({ length: 1001 }, () =>
      receiveMessage(services.deps, toIncoming('a: b\r\n\r\n'), [session]),
    );
    await Promise.all(many);
    const now = await services.refresh(session);
    const newest = await listIds(services, now, { limit: 5000 });
    expect([newest.length, newest[0], newest.at(-1)]).toEqual([1000, 1001, 2]);
    const oldest = await listIds(services, now, { after: 0 });
    expect([oldest.length, oldest[0], oldest.at(-1)]).toEqual([1000, 1000, 1]);
  });

  it('keeps what one session sees from every other', async () => {
    const services = await openServices();
    const [one, other] = [await services.lend(), await services.lend()];
    await services.deliver(plainMail('For one'), one);
    expect(await listIds(services, await services.refresh(one))).toEqual([1]);
    expect(await listIds(services, await services.refresh(other))).toEqual([]);
  });
});

describe('an unchanged list', () => {
  it('is the same array, read and decrypted once', async () => {
    const services = await openServices();
    const session = await services.lend();
    await services.deliver(plainMail('One'), session);
    const now = await services.refresh(session);
    const list = await checkMail(services.deps, now);
    expect(await checkMail(services.deps, await services.refresh(session))).toBe(list);
    expect(await checkMail(services.deps, now, {})).toBe(list);
    expect(await checkMail(services.deps, now, { limit: 1000 })).toBe(list);
  });

  it('is kept for each range on its own', async () => {
    const services = await openServices();
    const session = await services.lend();
    for (let i = 0; i < 3; i++) await services.deliver(plainMail('Mail'), session);
    const now = await services.refresh(session);
    const requests: CheckMailRequest[] = [
      {},
      { after: 1 },
      { before: 1 },
      { limit: 1 },
      { after: 1, limit: 1 },
      { after: 11 },
    ];
    const lists: unknown[] = [];
    for (const request of requests) lists.push(await checkMail(services.deps, now, request));
    for (const [index, request] of requests.entries()) {
      expect(await checkMail(services.deps, now, request)).toBe(lists[index]);
    }
    expect(new Set(lists).size).toBe(requests.length);
  });

  it('is made anew after a delivery, a reading, a deletion and an extension', async () => {
    const services = await openServices();
    const session = await services.lend();
    await services.deliver(plainMail('One'), session);
    const lists: (readonly { id: number; isRead: boolean }[])[] = [];
    const look = async (): Promise<void> => {
      lists.push(await checkMail(services.deps, await services.refresh(session)));
    };
    await look();
    await services.deliver(plainMail('Two'), session);
    await look();
    await readMail(services.deps, session, { id: 1, marksRead: true });
    await look();
    await deleteMail(services.deps, session, 2);
    await look();
    await extendSession(services.deps, session, 7200);
    await look();
    expect(new Set(lists).size).toBe(5);
    expect(lists.map((list) => list.map(({ id, isRead }) => `${id}${isRead ? ' read' : ''}`))).toEqual([
      ['1'],
      ['2', '1'],
      ['2', '1 read'],
      ['1 read'],
      ['1 read'],
    ]);
  });

  it('stays the same when a message that was read is read again', async () => {
    const services = await openServices();
    const session = await services.lend();
    await services.deliver(plainMail('One'), session);
    await readMail(services.deps, session, { id: 1, marksRead: true });
    const list = await checkMail(services.deps, await services.refresh(session));
    await readMail(services.deps, session, { id: 1, marksRead: true });
    expect(await checkMail(services.deps, await services.refresh(session))).toBe(list);
  });
});
