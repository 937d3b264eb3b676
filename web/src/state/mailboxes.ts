// All mailboxes of this browser and the current one. Saved to localStorage at every change, and loaded again when
// another window changes it. Following and ending sessions is the task of app/.
import { computed, signal } from '@preact/signals';

import { applyEmail, createMailbox, type Mailbox } from './mailbox.ts';
import { readStored, writeStored } from './storage.ts';
import {
  formatStoredSessions,
  parseLabel,
  parseStoredSessions,
  sessionsKey,
  type StoredSession,
} from './addresses/stored-sessions.ts';

/** Oldest first. */
export const mailboxes = signal<readonly Mailbox[]>([]);
const currentToken = signal<string | null>(null);

export const current = computed(
  () => mailboxes.value.find(({ token }) => token === currentToken.value) ?? mailboxes.value[0] ?? null,
);

export const totalUnread = computed(() => mailboxes.value.reduce((sum, { unread }) => sum + unread.value, 0));

/** Loads the saved sessions without those that have ended. Returns the last current address if it is one of those. */
export function loadMailboxes(): { endedMeanwhile: string | null } {
  const stored = parseStoredSessions(readStored(sessionsKey));
  const isLive = ({ endsAt }: StoredSession): boolean => endsAt > Date.now();
  mailboxes.value = stored.sessions.filter(isLive).map(createMailbox);
  currentToken.value = stored.current;
  const last = stored.sessions.find(({ token }) => token === stored.current);
  return { endedMeanwhile: last && !isLive(last) ? last.email : null };
}

export function saveMailboxes(): void {
  const kept = mailboxes.value.filter(({ isOver }) => !isOver.value);
  const text = formatStoredSessions({
    // A session that is over leaves nothing behind.
    current: kept.some(({ token }) => token === currentToken.value) ? currentToken.value : null,
    sessions: kept.map(({ token, email, endsAt, isShared, smtp, label, push }) => ({
      token,
      email,
      endsAt: endsAt.value,
      isShared,
      label: label.value,
      push: push.value,
      ...(smtp === undefined ? {} : { smtp }),
    })),
  });
  const before = readStored(sessionsKey);
  // After everything was forgotten, an answer that comes late must leave nothing behind.
  if (text !== before && (before !== null || kept.length > 0)) writeStored(sessionsKey, text);
}

/** Adds the session, unless it is there already, and makes it current. */
export function addMailbox(session: StoredSession): Mailbox {
  const mailbox = keepMailbox(session);
  currentToken.value = mailbox.token;
  saveMailboxes();
  return mailbox;
}

/** Milliseconds in which another window may write what it had before it knew of a mailbox that was added here. */
const crossingMs = 3_000;
const addedAt = new WeakMap<Mailbox, number>();

/** Adds the session, unless it is there already, beside the current one. */
export function keepMailbox(session: StoredSession): Mailbox {
  const known = mailboxes.value.find(({ token }) => token === session.token);
  if (known) return known;
  const mailbox = createMailbox(session);
  addedAt.set(mailbox, performance.now());
  mailboxes.value = [...mailboxes.value, mailbox];
  saveMailboxes();
  return mailbox;
}

export function selectMailbox(token: string): void {
  currentToken.value = token;
  saveMailboxes();
}

/** @param label empty for none */
export function labelMailbox(mailbox: Mailbox, label: string): void {
  mailbox.label.value = parseLabel(label);
  saveMailboxes();
}

export function removeMailbox(token: string): void {
  const at = mailboxes.value.findIndex((mailbox) => mailbox.token === token);
  mailboxes.value = mailboxes.value.filter((mailbox) => mailbox.token !== token);
  if (currentToken.value === token) {
    currentToken.value = (mailboxes.value[at] ?? mailboxes.value.at(-1))?.token ?? null;
  }
  saveMailboxes();
}

/** Applies the changes of another window; the current mailbox stays. */
export function syncMailboxes(): void {
  const stored = readStored(sessionsKey);
  const { sessions } = parseStoredSessions(stored);
  const known = new Map(mailboxes.value.map((mailbox) => [mailbox.token, mailbox]));
  const next = sessions.map((session) => known.get(session.token) ?? createMailbox(session));
  for (const { token, email, label = '', push = '' } of sessions) {
    const mailbox = known.get(token);
    if (!mailbox) continue;
    applyEmail(mailbox, email);
    mailbox.label.value = label;
    mailbox.push.value = push;
  }
  // A mailbox that ends while it is current stays until the reader has seen that.
  const over = mailboxes.value.filter((mailbox) => mailbox.isOver.value && !next.includes(mailbox));
  const since = performance.now() - crossingMs;
  const crossing = mailboxes.value.filter(
    (mailbox) =>
      stored !== null && (addedAt.get(mailbox) ?? -Infinity) > since && ![...next, ...over].includes(mailbox),
  );
  mailboxes.value = [...next, ...crossing, ...over];
  if (crossing.length > 0) saveMailboxes();
}

/** Forgets everything here; the caller clears localStorage. */
export function forgetMailboxes(): void {
  mailboxes.value = [];
  currentToken.value = null;
}
