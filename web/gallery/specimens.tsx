// All parts of the page in every state, for web/gallery.html. To show more, add an entry and renew the pictures: `npm
// run gallery -- --renew`.
import { signal } from '@preact/signals';
import type { VNode } from 'preact';

import { ApiError } from '../src/api/api-error.ts';
import { creationError } from '../src/app/addresses.ts';
import { lateCode } from '../src/app/late-code.ts';
import { openMessageId } from '../src/app/navigation.ts';
import { notices } from '../src/app/notices.ts';
import type { Reading } from '../src/app/reading.ts';
import { offered } from '../src/app/share-link.ts';
import type { ConnectionState } from '../src/live/follow-session.ts';
import { current, mailboxes, selectMailbox } from '../src/state/mailboxes.ts';
import type { Doubt } from '../src/app/doubting.ts';
import type { CalendarEvent } from '../src/state/mail/read-calendar.ts';
import { AddressesDialog } from '../src/views/dialogs/addresses-dialog.tsx';
import { Attachments } from '../src/views/reader/attachments.tsx';
import { ConnectionSign } from '../src/views/rail/connection.tsx';
import { CreateDialog } from '../src/views/dialogs/create-dialog.tsx';
import { EmptyInbox } from '../src/views/inbox/empty-inbox.tsx';
import { EventCard } from '../src/views/reader/event-cards.tsx';
import { FrameTools } from '../src/views/reader/frame-tools.tsx';
import { LinkQuestion } from '../src/views/reader/link-question.tsx';
import type { FrameState } from '../src/views/reader/frame-state.ts';
import { MessageText } from '../src/views/reader/message-text.tsx';
import { SearchChips } from '../src/views/inbox/search-chips.tsx';
import { EndDialog } from '../src/views/dialogs/end-dialog.tsx';
import { InboxHead } from '../src/views/inbox/inbox-head.tsx';
import { InboxSearch } from '../src/views/inbox/inbox-search.tsx';
import { KeepDialog } from '../src/views/dialogs/keep-dialog.tsx';
import { KeysDialog } from '../src/views/dialogs/keys-dialog.tsx';
import { LabelDialog } from '../src/views/dialogs/label-dialog.tsx';
import { LogDialog } from '../src/views/dialogs/log-dialog.tsx';
import { MessageFinds } from '../src/views/reader/message-finds.tsx';
import { MessageOrigin } from '../src/views/reader/message-origin.tsx';
import { MessageRow } from '../src/views/inbox/message-row.tsx';
import { MessageView } from '../src/views/reader/message-view.tsx';
import { CodeBanner, NewestCode } from '../src/views/inbox/newest-code.tsx';
import { NoticesView } from '../src/views/notices-view.tsx';
import { OfferDialog } from '../src/views/dialogs/offer-dialog.tsx';
import { NoAddress, OverView } from '../src/views/inbox/plain-states.tsx';
import { Rail, RailOf } from '../src/views/rail/rail.tsx';
import { RecipientFilter } from '../src/views/inbox/recipient-filter.tsx';
import { SettingsDialog } from '../src/views/dialogs/settings-dialog.tsx';
import { ShareDialog } from '../src/views/dialogs/share-dialog.tsx';
import { Buttons, Colours, Fields, Icons, Signs, Type } from './parts.tsx';
import { sampleMailbox, sampleMessage, sampleNow, sampleSummary } from './samples.ts';

export interface Specimen {
  readonly name: string;
  readonly view: () => VNode;
  readonly isWide?: boolean;
  /** Opens its menu. */
  readonly isOpen?: boolean;
}

const code = '482913';
/** Longer than pictures take. */
const aDayMs = 86_400_000;
const rows = [
  sampleSummary({ is_read: false, code }),
  sampleSummary({ code: 'K7Q2-99', has_attachments: true }),
  sampleSummary({ in_spam: true, sender_name: '', subject: '', preview: '' }),
  sampleSummary({ sender_name: 'Bibliothèque Čapek', subject: 'Über '.repeat(12), is_read: false }),
  sampleSummary({ subject: 'A subject that goes on for longer than any row has room for it '.repeat(2) }),
];
const inbox = sampleMailbox({}, rows);
const capture = sampleMailbox({ token: 'capture', email: '*@shop.example' }, [
  sampleSummary({ recipients: ['anna@shop.example'] }),
  sampleSummary({ recipients: ['bert@shop.example', 'carl@shop.example'] }),
]);
const soon = sampleMailbox({ email: 'soon@mail.example', minutes: 4 });
const labelled = sampleMailbox({ email: 'shop.owl7@post.example', label: 'Shopping', minutes: 30 }, rows);
const shared = sampleMailbox({ email: 'shared@mail.example', isShared: true });
const server = sampleMailbox({ email: '*@mail.example', smtp: '127.0.0.1:2525' });
const over = sampleMailbox({ email: 'over@mail.example', minutes: 0 });
const origins = {
  verified: sampleMessage(),
  forged: sampleMessage({ authentication: { spf: 'fail', dkim: 'fail', dmarc: 'fail', arc: 'none' } }),
  doubtful: sampleMessage({ authentication_doubt: 'two From fields' }),
  off: sampleMessage({ authentication: { spf: null, dkim: null, dmarc: null, arc: null } }),
};

/** Sets the state that views read in addition to their properties. */
export function arrange(): void {
  over.isOver.value = true;
  mailboxes.value = [inbox, soon, labelled, over];
  selectMailbox(inbox.token);
  creationError.value = new ApiError('no_domain_available');
  offered.value = { token: 'x', email: 'shared@mail.example', endsAt: sampleNow, isShared: true };
  const [opened] = rows;
  openMessageId.value = opened?.id ?? null;
  const late = sampleSummary({ code: '771204', sender_name: 'Zoom' });
  lateCode.value = { mailbox: labelled, message: late, code: '771204' };
  const undo = { label: 'Undo', run: () => undefined };
  notices.value = [
    { id: 1, kind: 'info', text: 'Message deleted', lastsMs: 1, action: undo },
    { id: 2, kind: 'error', text: 'The service does not answer.', lastsMs: 1 },
  ];
}

function readingOf(changes: Partial<Reading>): Reading {
  return {
    mailbox: inbox,
    id: rows[0]?.id ?? 0,
    message: null,
    error: null,
    isKept: false,
    readAt: sampleNow,
    ...changes,
  };
}

function Rows(): VNode {
  return (
    <ul class="rows">
      {rows.map((message) => (
        <MessageRow key={message.id} mailbox={inbox} message={message} />
      ))}
      {capture.shown.value.map((message) => (
        <MessageRow key={message.id} mailbox={capture} message={message} />
      ))}
    </ul>
  );
}

/** As swiping.ts leaves them on the way. */
function SwipedRows(): VNode {
  const [first, second] = rows;
  return (
    <ul
      class="rows"
      ref={(list) => {
        for (const [at, by] of [-160, 90].entries()) {
          const row = list?.children[at];
          if (!(row instanceof HTMLElement)) continue;
          row.classList.add('is-swiped');
          if (by < 0) row.classList.add('is-deleting', 'will-act');
          row.style.setProperty('--swiped', `${by}px`);
          row.dataset['swipe'] = by < 0 ? 'Delete' : 'Mark as read';
        }
      }}
    >
      {[first, second].map((one) => one && <MessageRow key={one.id} mailbox={capture} message={one} />)}
    </ul>
  );
}

function Connections(): VNode {
  const states: readonly (ConnectionState | 'offline')[] = [
    ...(['connecting', 'live', 'polling', 'waiting', 'offline', 'over'] as const),
  ];
  return (
    <div class="specimen-line">
      {states.map((state) => (
        <ConnectionSign key={state} state={state} />
      ))}
    </div>
  );
}

function Heads(): VNode {
  return (
    <>
      {[inbox, soon, labelled, shared, server].map((mailbox) => (
        <InboxHead key={mailbox.token} mailbox={mailbox} />
      ))}
    </>
  );
}

function Origins(): VNode {
  return (
    <div class="specimen-line">
      {Object.values(origins).map((message) => (
        <MessageOrigin
          key={message.id}
          mailbox={inbox}
          message={message}
          hasImages={signal(false)}
          isFramed={true}
        />
      ))}
    </div>
  );
}

const folded = sampleMessage({
  text: 'Gladly.\n\nOn Monday, Ann wrote:\n> Are you coming?\n\n-- \nNora\n',
});
const searched = sampleMailbox({ email: 'searched@mail.example' });
searched.query.value = 'is:unread ';
const doubt: Doubt = {
  link: { href: 'http://xn--brokbank-3ya.example/login', host: 'xn--brokbank-3ya.example', isInsecure: true },
  flags: ['punycode', 'mismatch'],
};
const dinner: CalendarEvent = {
  uid: '1',
  title: 'Dinner, at last',
  place: 'Main Street 5',
  organizer: 'Ann Lee',
  start: { at: sampleNow, kind: 'written' },
  end: { at: sampleNow + 5_400_000, kind: 'written' },
  isCancelled: false,
  repeats: true,
};

function Events(): VNode {
  return (
    <div class="finds">
      {[dinner, { ...dinner, isCancelled: true, end: null }].map((event, at) => (
        <EventCard key={at} event={event} onSave={() => undefined} />
      ))}
    </div>
  );
}

function Ways(): VNode {
  const state: FrameState = {
    isDark: signal(false),
    isSmall: signal(true),
    wish: signal({ scheme: 'auto', isReadable: true }),
    width: signal<number | null>(null),
  };
  return (
    <div class="frame-tools">
      <FrameTools state={state} isForTesters />
    </div>
  );
}

export const specimens: readonly Specimen[] = [
  { name: 'Colours', view: () => <Colours /> },
  { name: 'Type', view: () => <Type /> },
  { name: 'Icons', view: () => <Icons /> },
  { name: 'Signs', view: () => <Signs /> },
  { name: 'Buttons', view: () => <Buttons />, isWide: true },
  { name: 'Fields', view: () => <Fields /> },
  { name: 'Connection', view: () => <Connections /> },
  { name: 'Rail', view: () => <Rail /> },
  { name: 'Rail with one address', view: () => <RailOf all={[inbox]} /> },
  { name: 'Address', view: () => <Heads /> },
  { name: 'Menu', view: () => <InboxHead mailbox={current.value ?? inbox} />, isOpen: true },
  { name: 'Search', view: () => <InboxSearch mailbox={inbox} /> },
  { name: 'Search in use', view: () => <SearchChips mailbox={searched} /> },
  { name: 'Recipients', view: () => <RecipientFilter mailbox={capture} /> },
  { name: 'Newest code', view: () => <NewestCode mailbox={inbox} /> },
  { name: 'Code over a message', view: () => <CodeBanner /> },
  { name: 'Rows', view: () => <Rows /> },
  { name: 'Row under a finger', view: () => <SwipedRows /> },
  { name: 'Empty inbox', view: () => <EmptyInbox mailbox={inbox} patienceMs={aDayMs} /> },
  { name: 'Empty inbox after a minute', view: () => <EmptyInbox mailbox={inbox} patienceMs={0} /> },
  { name: 'Ended', view: () => <OverView mailbox={over} /> },
  { name: 'Ended with mail on the screen', view: () => <InboxHead mailbox={over} /> },
  { name: 'No address', view: () => <NoAddress /> },
  { name: 'Origin', view: () => <Origins /> },
  { name: 'Finds', view: () => <MessageFinds message={sampleMessage()} /> },
  {
    name: 'Attachments',
    view: () => <Attachments reading={readingOf({})} attachments={sampleMessage().attachments} />,
  },
  { name: 'Event', view: () => <Events /> },
  { name: 'Folded text', view: () => <MessageText message={folded} /> },
  { name: 'Ways to show a message', view: () => <Ways /> },
  {
    name: 'Message',
    view: () => (
      <MessageView
        reading={readingOf({
          message: sampleMessage({ parse: 'partial', html_reason: 'too_deep', in_spam: true }),
        })}
      />
    ),
    isWide: true,
  },
  { name: 'Message on its way', view: () => <MessageView reading={readingOf({})} /> },
  {
    name: 'Message that failed',
    view: () => <MessageView reading={readingOf({ error: new ApiError('network') })} />,
  },
  { name: 'Notices', view: () => <NoticesView /> },
  { name: 'Dialog: new address', view: () => <CreateDialog /> },
  { name: 'Dialog: addresses', view: () => <AddressesDialog /> },
  { name: 'Dialog: settings', view: () => <SettingsDialog /> },
  { name: 'Dialog: keys', view: () => <KeysDialog /> },
  { name: 'Dialog: share', view: () => <ShareDialog mailbox={inbox} /> },
  { name: 'Dialog: end', view: () => <EndDialog mailbox={inbox} /> },
  { name: 'Dialog: deliveries', view: () => <LogDialog mailbox={inbox} /> },
  { name: 'Dialog: label', view: () => <LabelDialog mailbox={labelled} /> },
  { name: 'Dialog: restore and save', view: () => <KeepDialog /> },
  { name: 'Dialog: link that may mislead', view: () => <LinkQuestion doubt={doubt} /> },
  { name: 'Dialog: shared inbox', view: () => <OfferDialog /> },
];
