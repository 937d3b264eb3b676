import { describe, expect, it } from 'vitest';

import type { MessageSummary } from '../api/answers.ts';
import {
  applyArrivals,
  applyDeletions,
  applyDrop,
  applyEmail,
  applyExpiry,
  applyList,
  applyMarks,
  applyOver,
  createMailbox,
  markRead,
  setLeaving,
} from './mailbox.ts';

const expiry = { expires_at: '2026-03-01 12:00:00', expires_in: 3600 };

function message(id: number, more: Partial<MessageSummary> = {}): MessageSummary {
  return {
    id,
    sender_name: 'Shop',
    sender_email: 'a@shop.example',
    subject: `No ${id}`,
    received_at: '2026-03-01 11:00:00',
    size: 100,
    has_attachments: false,
    is_read: false,
    preview: '',
    code: null,
    ...more,
  };
}

function mailboxWith(...ids: number[]) {
  const mailbox = createMailbox({ token: 't', email: 'a@b.test', endsAt: 0, isShared: false });
  applyList(mailbox, { ...expiry, email: 'a@b.test', messages: ids.map((id) => message(id)) });
  return mailbox;
}

describe('a mailbox', () => {
  it('tells no arrivals from its first list, and those unknown from later ones, oldest first', () => {
    const mailbox = mailboxWith(2, 1);
    expect(mailbox.position.value).toBe(2);
    const messages = [5, 4, 2].map((id) => message(id));
    const arrived = applyList(mailbox, { ...expiry, email: 'a@b.test', messages });
    expect(arrived.map(({ id }) => id)).toEqual([4, 5]);
    expect(mailbox.messages.value.map(({ id }) => id)).toEqual([5, 4, 2]);
  });

  it('keeps the objects of unchanged messages in a new list', () => {
    const mailbox = mailboxWith(2, 1);
    const before = mailbox.messages.value;
    applyList(mailbox, { ...expiry, email: 'a@b.test', messages: [message(2), message(1)] });
    expect(mailbox.messages.value).toBe(before);
    applyList(mailbox, {
      ...expiry,
      email: 'a@b.test',
      messages: [message(2, { is_read: true }), message(1)],
    });
    expect(mailbox.messages.value).not.toBe(before);
    expect(mailbox.messages.value[0]?.is_read).toBe(true);
    expect(mailbox.messages.value[1]).toBe(before[1]);
  });

  it('takes a repeated arrival once, and keeps newest first', () => {
    const mailbox = mailboxWith(2, 1);
    expect(applyArrivals(mailbox, [message(7), message(4)]).map(({ id }) => id)).toEqual([4, 7]);
    expect(applyArrivals(mailbox, [message(4)])).toEqual([]);
    expect(mailbox.messages.value.map(({ id }) => id)).toEqual([7, 4, 2, 1]);
    expect(mailbox.position.value).toBe(7);
  });

  it('counts unread ones that are in view', () => {
    const mailbox = mailboxWith(3, 2, 1);
    markRead(mailbox, 2);
    expect(mailbox.unread.value).toBe(2);
    setLeaving(mailbox, [3], true);
    expect(mailbox.unread.value).toBe(1);
    expect(mailbox.shown.value.map(({ id }) => id)).toEqual([2, 1]);
    setLeaving(mailbox, [3], false);
    expect(mailbox.shown.value.map(({ id }) => id)).toEqual([3, 2, 1]);
  });

  it('takes another address, and becomes what that is', () => {
    const mailbox = mailboxWith(1);
    expect(applyEmail(mailbox, 'a@b.test')).toBe(false);
    expect(applyEmail(mailbox, '*@label.b.test')).toBe(true);
    expect([mailbox.email, mailbox.isCapture]).toEqual(['*@label.b.test', true]);
  });

  it('counts what made room for newer mail', () => {
    const mailbox = mailboxWith(3, 2, 1);
    applyDrop(mailbox, 1);
    applyDeletions(mailbox, [2]);
    expect(mailbox.messages.value.map(({ id }) => id)).toEqual([3]);
    expect(mailbox.dropped.value).toBe(1);
  });

  it('marks a message as the service tells it', () => {
    const mailbox = mailboxWith(2, 1);
    applyMarks(mailbox, [2], true);
    expect(mailbox.unread.value).toBe(1);
    applyMarks(mailbox, [2], false);
    applyMarks(mailbox, [99], true);
    expect(mailbox.messages.value.map(({ id, is_read: isRead }) => [id, isRead])).toEqual([
      [2, false],
      [1, false],
    ]);
  });

  it('forgets a deleted message, also one about to be deleted', () => {
    const mailbox = mailboxWith(2, 1);
    setLeaving(mailbox, [2], true);
    applyDeletions(mailbox, [2]);
    applyDeletions(mailbox, [99]);
    expect(mailbox.messages.value.map(({ id }) => id)).toEqual([1]);
    expect(mailbox.leaving.value.size).toBe(0);
  });

  it('counts down by its own clock and does not jump by less than the service tells', () => {
    const mailbox = mailboxWith();
    const { value } = mailbox.endsAt;
    expect(Math.abs(value - (Date.now() + 3_600_000))).toBeLessThan(2_000);
    applyExpiry(mailbox, expiry);
    expect(mailbox.endsAt.value).toBe(value);
    applyExpiry(mailbox, { ...expiry, expires_in: 7200 });
    expect(mailbox.endsAt.value).toBeGreaterThan(value + 3_000_000);
  });

  it('keeps no message once it is over', () => {
    const mailbox = mailboxWith(2, 1);
    applyOver(mailbox);
    expect(mailbox.messages.value).toEqual([]);
    expect(mailbox.isOver.value).toBe(true);
    expect(mailbox.endsAt.value).toBeLessThanOrEqual(Date.now());
  });
});
