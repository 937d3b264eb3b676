// Keeps all mailboxes current: the few most recently viewed by event streams, the others by polling. Few, because a
// browser has few connections per server. Started once by app/start.ts.
import { effect, untracked } from '@preact/signals';

import type { Expiry, MessageSummary } from '../api/answers.ts';
import { isSessionOver, requireApiError } from '../api/api-error.ts';
import { checkMail, openEvents } from '../api/operations.ts';
import { t, tn } from '../i18n/translate.ts';
import { chooseFollowed, followedMax } from '../live/choose-followed.ts';
import { takeConnectionSlot } from '../live/connection-slot.ts';
import { type Follower, followSession } from '../live/follow-session.ts';
import type { ServerEvent } from '../live/read-event-stream.ts';
import {
  advance,
  applyArrivals,
  applyDeletions,
  applyDrop,
  applyEmail,
  applyExpiry,
  applyList,
  applyMarks,
  applyOver,
  type Mailbox,
} from '../state/mailbox.ts';
import { current, mailboxes, saveMailboxes } from '../state/mailboxes.ts';
import { announceArrivals } from './arrivals.ts';
import { silence, notify, say } from './notices.ts';
import { logFault } from './report-fault.ts';

const refreshEveryMs = 15_000;
const followers = new Map<Mailbox, Follower>();
/** Most recently viewed first. */
let looked: readonly Mailbox[] = [];

export function startLiveLinks(): void {
  let before = current.value;
  effect(() => {
    const { value: mailbox } = current;
    // The mail of an ended address stays on the screen until the reader leaves it.
    if (before !== mailbox && before?.isOver.peek()) applyOver(before);
    before = mailbox;
  });
  effect(() => {
    const { value: mailbox } = current;
    if (mailbox) looked = [mailbox, ...looked.filter((one) => one !== mailbox)].slice(0, followedMax);
    const live = mailboxes.value.filter(({ isOver }) => !isOver.value);
    untracked(() => {
      followThese(chooseFollowed(live, looked));
    });
  });
  const wake = (): void => {
    if (document.hidden) return;
    for (const follower of followers.values()) follower.nudge();
    for (const mailbox of mailboxes.value) refresh(mailbox).catch(logFault);
  };
  document.addEventListener('visibilitychange', wake);
  window.addEventListener('online', wake);
  setInterval(() => {
    // Those that are polled too, since an answer of a poll tells only what came.
    for (const mailbox of mailboxes.value.filter((one) => !hasStream(one))) refresh(mailbox).catch(logFault);
  }, refreshEveryMs);
}

function hasStream(mailbox: Mailbox): boolean {
  return followers.has(mailbox) && mailbox.connection.value === 'live';
}

function followThese(wanted: readonly Mailbox[]): void {
  for (const [mailbox, follower] of followers) {
    if (wanted.includes(mailbox)) continue;
    follower.close();
    followers.delete(mailbox);
  }
  for (const mailbox of wanted) if (!followers.has(mailbox)) followers.set(mailbox, follow(mailbox));
}

function follow(mailbox: Mailbox): Follower {
  const { token } = mailbox;
  return followSession({
    openEvents: (after, signal) => openEvents(token, after, signal),
    listMessages: async ({ after, wait, signal }) => {
      const { list } = await checkMail(token, { after, wait, signal });
      if (!list) throw new Error('304 to a request without a tag');
      return list;
    },
    position: () => mailbox.position.value,
    onList: (list, position) => {
      rename(mailbox, list.email);
      announceArrivals(mailbox, applyList(mailbox, list, position));
    },
    onNews: (list) => {
      rename(mailbox, list.email);
      applyExpiry(mailbox, list);
      announceArrivals(mailbox, applyArrivals(mailbox, list.messages));
    },
    onEvent: (event) => {
      applyEvent(mailbox, event);
    },
    onState: (state) => {
      mailbox.connection.value = state;
    },
    onOver: () => {
      endMailbox(mailbox);
    },
    onFault: logFault,
    takeSlot: (signal) => takeConnectionSlot(mailbox === current.value ? 'shown' : 'beside', signal),
  });
}

function applyEvent(mailbox: Mailbox, { kind, id, data }: ServerEvent): void {
  // From the service, in the shape that docs/live.md defines.
  const news: unknown = JSON.parse(data);
  if (kind === 'message.received') {
    announceArrivals(mailbox, applyArrivals(mailbox, [news as MessageSummary]));
  } else if (kind === 'message.deleted') {
    applyDeletions(mailbox, [(news as { id: number }).id]);
  } else if (kind === 'message.dropped') {
    takeDrop(mailbox, (news as { id: number }).id);
  } else if (kind === 'message.read' || kind === 'message.unread') {
    applyMarks(mailbox, [(news as { id: number }).id], kind === 'message.read');
  } else if (kind === 'session.extended') {
    applyExpiry(mailbox, news as Expiry);
    saveMailboxes();
  } else if (kind === 'session.renamed') {
    rename(mailbox, (news as { email: string }).email);
  }
  if (/^\d+$/.test(id)) advance(mailbox, Number(id));
}

function rename(mailbox: Mailbox, email: string): void {
  if (!applyEmail(mailbox, email)) return;
  saveMailboxes();
  const text = t('address.renamed', { email });
  say(text);
  notify({ kind: 'info', text });
}

/** Notifies only once; the note below the list counts further ones. */
function takeDrop(mailbox: Mailbox, id: number): void {
  applyDrop(mailbox, id);
  if (mailbox.dropped.value !== 1 || mailbox !== current.value) return;
  const text = tn('inbox.dropped', 1);
  say(text);
  notify({ kind: 'info', text });
}

/** Loads the list anew if it changed, for mailboxes without a stream. */
async function refresh(mailbox: Mailbox): Promise<void> {
  if (mailbox.isOver.value) return;
  const before = mailbox.position.value;
  try {
    const { list, tag } = await checkMail(mailbox.token, { tag: mailbox.tag });
    if (!list || mailbox.isOver.value) return;
    // This answer may be older than what a stream has reported meanwhile.
    if (mailbox.position.value !== before) return;
    mailbox.tag = tag;
    if (!hasStream(mailbox)) rename(mailbox, list.email);
    announceArrivals(mailbox, applyList(mailbox, list, mailbox.position.value ?? 0));
  } catch (error) {
    // Polled again soon; the streams show the state of the connection.
    if (isSessionOver(requireApiError(error))) endMailbox(mailbox);
  }
}

function endMailbox(mailbox: Mailbox): void {
  applyOver(mailbox, mailbox === current.value);
  silence();
  saveMailboxes();
}
