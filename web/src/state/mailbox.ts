// One session as the app holds it: what is known of its messages and its end. Changed by the functions below alone, which
// are given what the service told; views only read. The list is newest first and each message is in it once.
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';

import type { Expiry, MessageList, MessageSummary } from '../api/answers.ts';
import type { ConnectionState } from '../live/follow-session.ts';
import { filterByRecipient, filterByTag, findMessages } from './search.ts';
import { isReadOnly, type StoredSession } from './stored-sessions.ts';
import { parseTimestamp } from './timestamp.ts';

export interface Mailbox {
  readonly token: string;
  /** May be renamed: read where it is used, never kept. */
  readonly email: string;
  /** It came by a link, so others have it too. */
  readonly isShared: boolean;
  /** The token is of a share, which changes nothing. */
  readonly isReadOnly: boolean;
  /** Of a developer's service: the `host:port` at which all mail is taken, whatever its address. */
  readonly smtp: string | undefined;
  /** By which push messages name it; empty for none. */
  readonly push: Signal<string>;
  /** The reader's own name for it; empty for none. */
  readonly label: Signal<string>;
  /** By this device's clock. */
  readonly endsAt: Signal<number>;
  readonly isOver: Signal<boolean>;
  readonly connection: Signal<ConnectionState>;
  /** All that the service has, those about to be deleted included. */
  readonly messages: Signal<readonly MessageSummary[]>;
  /** Ids of messages that are gone from view and can still be brought back. */
  readonly leaving: Signal<ReadonlySet<number>>;
  readonly isListed: Signal<boolean>;
  /** Place in the session's log up to which this is true; null before the first list. */
  readonly position: Signal<number | null>;
  /** Tag of the whole list last answered. */
  tag: string | undefined;
  /** The service's clock less this device's. */
  skewMs: number;
  /** How many messages made room for newer ones while the page looked. */
  readonly dropped: Signal<number>;
  readonly shown: ReadonlySignal<readonly MessageSummary[]>;
  /** What is searched for; empty for nothing. */
  readonly query: Signal<string>;
  /** It holds every address at a label, so its messages have recipients worth telling. */
  readonly isCapture: boolean;
  /** Whose mail alone is looked at, in lower case; empty for all. */
  readonly recipient: Signal<string>;
  /** What the service has found in the texts; null while nothing is searched for. */
  readonly textSearch: Signal<TextSearch | null>;
  /** The tag whose mail alone is looked at; empty for all. */
  readonly plusTag: Signal<string>;
  /** Of those shown, what the search, the recipient and the tag leave. */
  readonly found: ReadonlySignal<readonly MessageSummary[]>;
  readonly unread: ReadonlySignal<number>;
}

const noIds: ReadonlySet<number> = new Set();

/** Addresses by mailbox; only `applyEmail` changes one. */
const emails = new WeakMap<Mailbox, Signal<string>>();

export interface TextSearch {
  readonly words: string;
  readonly ids: ReadonlySet<number>;
  readonly state: 'searching' | 'done' | 'failed';
}

export function createMailbox(session: StoredSession): Mailbox {
  const { token, email: givenEmail, endsAt, isShared, smtp, label = '', push = '' } = session;
  const email = signal(givenEmail);
  const messages = signal<readonly MessageSummary[]>([]);
  const leaving = signal<ReadonlySet<number>>(new Set());
  const shown = computed(() => messages.value.filter(({ id }) => !leaving.value.has(id)));
  const query = signal('');
  const recipient = signal('');
  const plusTag = signal('');
  const textSearch = signal<TextSearch | null>(null);
  const mailbox: Mailbox = {
    token,
    get email() {
      return email.value;
    },
    isShared,
    isReadOnly: isReadOnly(token),
    smtp,
    label: signal(label),
    push: signal(push),
    endsAt: signal(endsAt),
    isOver: signal(false),
    connection: signal<ConnectionState>('connecting'),
    messages,
    leaving,
    isListed: signal(false),
    position: signal<number | null>(null),
    tag: undefined,
    skewMs: 0,
    dropped: signal(0),
    shown,
    query,
    get isCapture() {
      return email.value.startsWith('*@');
    },
    recipient,
    textSearch,
    plusTag,
    found: computed(() => {
      const chosen = filterByTag(filterByRecipient(shown.value, recipient.value), plusTag.value);
      const { words, ids } = textSearch.value ?? { words: '', ids: noIds };
      return findMessages(chosen, query.value, words === query.value.trim() ? ids : noIds);
    }),
    unread: computed(() => shown.value.filter((message) => !message.is_read).length),
  };
  emails.set(mailbox, email);
  return mailbox;
}

/** Returns whether it is another than before. */
export function applyEmail(mailbox: Mailbox, email: string): boolean {
  const known = emails.get(mailbox);
  if (!known || known.value === email) return false;
  known.value = email;
  return true;
}

/** The whole list. Returns the messages that were not known, oldest first; none at the first list. */
export function applyList(mailbox: Mailbox, list: MessageList, position = 0): MessageSummary[] {
  const known = new Set(mailbox.messages.value.map(({ id }) => id));
  const arrived = mailbox.isListed.value ? list.messages.filter(({ id }) => !known.has(id)) : [];
  mailbox.messages.value = list.messages;
  mailbox.position.value = Math.max(position, list.messages[0]?.id ?? 0);
  mailbox.isListed.value = true;
  applyExpiry(mailbox, list);
  return arrived.toReversed();
}

/** Some messages, any order. Returns those that were not known, oldest first. */
export function applyArrivals(mailbox: Mailbox, messages: readonly MessageSummary[]): MessageSummary[] {
  const known = new Map(mailbox.messages.value.map((message) => [message.id, message]));
  const arrived = messages.filter(({ id }) => !known.has(id)).toSorted((a, b) => a.id - b.id);
  for (const message of messages) known.set(message.id, message);
  mailbox.messages.value = [...known.values()].toSorted((a, b) => b.id - a.id);
  for (const { id } of messages) advance(mailbox, id);
  return arrived;
}

export function applyDeletions(mailbox: Mailbox, ids: readonly number[]): void {
  const gone = new Set(ids);
  if (mailbox.messages.value.some(({ id }) => gone.has(id))) {
    mailbox.messages.value = mailbox.messages.value.filter(({ id }) => !gone.has(id));
  }
  setLeaving(mailbox, ids, false);
}

/** It made room for a newer one. */
export function applyDrop(mailbox: Mailbox, id: number): void {
  mailbox.dropped.value += 1;
  applyDeletions(mailbox, [id]);
}

export function applyExpiry(mailbox: Mailbox, { expires_at: at, expires_in: inSeconds }: Expiry): void {
  const now = Date.now();
  mailbox.skewMs = parseTimestamp(at) - (now + inSeconds * 1000);
  const endsAt = now + inSeconds * 1000;
  // Whole seconds come back: less than that is no news, and would make the countdown jump.
  if (Math.abs(endsAt - mailbox.endsAt.value) > 1500) mailbox.endsAt.value = endsAt;
}

export function markRead(mailbox: Mailbox, id: number): void {
  // The service does not note it for a share.
  if (!mailbox.isReadOnly) applyMarks(mailbox, [id], true);
}

/** Some of them may be so already, or gone. */
export function applyMarks(mailbox: Mailbox, ids: readonly number[], isRead: boolean): void {
  const marked = new Set(ids);
  const isChange = ({ id, is_read: was }: MessageSummary): boolean => marked.has(id) && was !== isRead;
  if (!mailbox.messages.value.some(isChange)) return;
  mailbox.messages.value = mailbox.messages.value.map((message) =>
    isChange(message) ? { ...message, is_read: isRead } : message,
  );
}

export function setLeaving(mailbox: Mailbox, ids: readonly number[], isLeaving: boolean): void {
  if (ids.every((id) => mailbox.leaving.value.has(id) === isLeaving)) return;
  const leaving = new Set(mailbox.leaving.value);
  for (const id of ids) {
    if (isLeaving) leaving.add(id);
    else leaving.delete(id);
  }
  mailbox.leaving.value = leaving;
}

/** Everything up to this place in the log has been taken in. */
export function advance(mailbox: Mailbox, position: number): void {
  mailbox.position.value = Math.max(mailbox.position.value ?? 0, position);
}

/** Its messages are gone for good, and so they are here. */
export function applyOver(mailbox: Mailbox): void {
  mailbox.isOver.value = true;
  mailbox.connection.value = 'over';
  mailbox.messages.value = [];
  mailbox.endsAt.value = Math.min(mailbox.endsAt.value, Date.now());
}
