// The app's state of one session: its known messages and its end. Changed only by the functions below, from the
// service's answers; views only read it. The list is newest first, with each message in it once.
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';

import type { Expiry, MessageList, MessageSummary } from '../api/answers.ts';
import type { ConnectionState } from '../live/follow-session.ts';
import type * as Finder from './find-messages.ts';
import { filterByRecipient, filterByTag } from './search.ts';
import { isReadOnly, type StoredSession } from './addresses/stored-sessions.ts';
import { parseTimestamp } from './timestamp.ts';

export interface Mailbox {
  readonly token: string;
  /** Changes when renamed: read it where it is used, never keep it. */
  readonly email: string;
  /** Opened by a link, so others have it too. */
  readonly isShared: boolean;
  /** The token belongs to a share, which cannot change anything. */
  readonly isReadOnly: boolean;
  /** The `host:port` at which a developer's service takes all mail, whatever its address. */
  readonly smtp: string | undefined;
  /** Id of the subscription in push messages; empty for none. */
  readonly push: Signal<string>;
  /** A name given by the reader; empty for none. */
  readonly label: Signal<string>;
  /** By this device's clock. */
  readonly endsAt: Signal<number>;
  readonly isOver: Signal<boolean>;
  readonly connection: Signal<ConnectionState>;
  /** All messages that the service has, including those about to be deleted. */
  readonly messages: Signal<readonly MessageSummary[]>;
  /** Ids of messages hidden until they are deleted or brought back. */
  readonly leaving: Signal<ReadonlySet<number>>;
  readonly isListed: Signal<boolean>;
  /** The place in the session's log up to which this is current; null before the first list. */
  readonly position: Signal<number | null>;
  /** The tag of the last complete list. */
  tag: string | undefined;
  /** The service's clock minus this device's. */
  skewMs: number;
  /** How many messages made room for newer ones while the page was open. */
  readonly dropped: Signal<number>;
  readonly shown: ReadonlySignal<readonly MessageSummary[]>;
  /** The search; empty for none. */
  readonly query: Signal<string>;
  /** Takes every address at a label, so its messages show their recipients. */
  readonly isCapture: boolean;
  /** The recipient to show mail of, in lower case; empty for all. */
  readonly recipient: Signal<string>;
  /** The service's findings in the texts; null while there is no search. */
  readonly textSearch: Signal<TextSearch | null>;
  /** The tag to show mail of; empty for all. */
  readonly plusTag: Signal<string>;
  /** The messages that match the search, the recipient and the tag. */
  readonly found: ReadonlySignal<readonly MessageSummary[]>;
  readonly unread: ReadonlySignal<number>;
  /** The newest message with a code, which stands above the list, unless that is narrowed; its row does not repeat it. */
  readonly pinned: ReadonlySignal<MessageSummary | undefined>;
}

const noIds: ReadonlySet<number> = new Set();

/** The id of the message being read; null for none. */
export const readId = signal<number | null>(null);

/** The search by text; null until it is first needed. */
export const finder = signal<typeof Finder | null>(null);

/** Only `applyEmail` changes an address. */
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
      if (query.value.trim() === '') return chosen;
      const byText = words === query.value.trim() ? ids : noIds;
      const search = { text: query.value, byText, openId: readId.value };
      return finder.value?.findMessages(chosen, search) ?? chosen;
    }),
    pinned: computed(() =>
      query.value + recipient.value + plusTag.value === ''
        ? shown.value.find(({ code }) => code !== null)
        : undefined,
    ),
    unread: computed(() => shown.value.filter((message) => !message.is_read).length),
  };
  emails.set(mailbox, email);
  return mailbox;
}

/** Returns whether the address changed. */
export function applyEmail(mailbox: Mailbox, email: string): boolean {
  const known = emails.get(mailbox);
  if (!known || known.value === email) return false;
  known.value = email;
  return true;
}

/** Takes a complete list. Returns the messages that are new, oldest first; none at the first list. */
export function applyList(mailbox: Mailbox, list: MessageList, position = 0): MessageSummary[] {
  const before = mailbox.messages.value;
  const known = new Map(before.map((message) => [message.id, message]));
  const arrived = mailbox.isListed.value ? list.messages.filter(({ id }) => !known.has(id)) : [];
  // Unchanged messages stay the same objects, so that nothing is rendered again or held twice.
  const messages = list.messages.map((message) => ifSame(known.get(message.id), message));
  const isSame = messages.length === before.length && messages.every((message, at) => message === before[at]);
  if (!isSame) mailbox.messages.value = messages;
  mailbox.position.value = Math.max(position, list.messages[0]?.id ?? 0);
  mailbox.isListed.value = true;
  applyExpiry(mailbox, list);
  return arrived.toReversed();
}

function ifSame(known: MessageSummary | undefined, message: MessageSummary): MessageSummary {
  return known && JSON.stringify(known) === JSON.stringify(message) ? known : message;
}

/** Takes messages in any order. Returns those that are new, oldest first. */
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

/** Removes a message that made room for a newer one. */
export function applyDrop(mailbox: Mailbox, id: number): void {
  mailbox.dropped.value += 1;
  applyDeletions(mailbox, [id]);
}

export function applyExpiry(mailbox: Mailbox, { expires_at: at, expires_in: inSeconds }: Expiry): void {
  const now = Date.now();
  mailbox.skewMs = parseTimestamp(at) - (now + inSeconds * 1000);
  const endsAt = now + inSeconds * 1000;
  // The service gives whole seconds: a smaller difference is not news, and would make the countdown jump.
  if (Math.abs(endsAt - mailbox.endsAt.value) > 1500) mailbox.endsAt.value = endsAt;
}

export function markRead(mailbox: Mailbox, id: number): void {
  // The service does not store marks for a share.
  if (!mailbox.isReadOnly) applyMarks(mailbox, [id], true);
}

/** Some of the messages may be marked already, or gone. */
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

/** Records that everything up to this place in the log has been applied. */
export function advance(mailbox: Mailbox, position: number): void {
  mailbox.position.value = Math.max(mailbox.position.value ?? 0, position);
}

/** Reports whether messages can be deleted and marked. */
export function canChange({ isReadOnly: isShare, isOver }: Mailbox): boolean {
  return !isShare && !isOver.value;
}

/** The service has deleted the messages; they are dropped here too, unless they are on the screen and stay until the reader leaves. */
export function applyOver(mailbox: Mailbox, isOnScreen = false): void {
  mailbox.isOver.value = true;
  mailbox.connection.value = 'over';
  if (!isOnScreen) mailbox.messages.value = [];
  mailbox.endsAt.value = Math.min(mailbox.endsAt.value, Date.now());
}
