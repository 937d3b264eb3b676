// The list of messages, newest first, below the address they came to. Rows out of sight are not laid out
// (content-visibility), so that five hundred scroll as easily as five.
import type { VNode } from 'preact';

import { isPhone } from '../app/screen.ts';
import { t, tn } from '../i18n/translate.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { EmptyInbox } from './empty-inbox.tsx';
import { GhostRows } from './ghost-rows.tsx';
import { InboxHead } from './inbox-head.tsx';
import { InboxSearch } from './inbox-search.tsx';
import { MessageRow } from './message-row.tsx';
import { NewestCode } from './newest-code.tsx';
import { Making } from './plain-states.tsx';
import { RecipientFilter } from './recipient-filter.tsx';

export function InboxView({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  return (
    <div class="inbox">
      <InboxHead mailbox={mailbox} />
      <section id="messages" class="list" tabIndex={-1} aria-labelledby="inbox-title">
        <h2 id="inbox-title" class="visually-hidden">
          {t('inbox.title')}, {tn('inbox.count', mailbox.shown.value.length)}
        </h2>
        <InboxSearch mailbox={mailbox} />
        <RecipientFilter mailbox={mailbox} />
        {mailbox.query.value === '' && mailbox.recipient.value === '' && <NewestCode mailbox={mailbox} />}
        <Messages mailbox={mailbox} />
        <Dropped mailbox={mailbox} />
      </section>
    </div>
  );
}

function Messages({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  const { value: messages } = mailbox.found;
  if (messages.length > 0) {
    return (
      <ul class="rows">
        {messages.map((message) => (
          <MessageRow key={message.id} mailbox={mailbox} message={message} />
        ))}
      </ul>
    );
  }
  const isNarrowed = mailbox.query.value !== '' || mailbox.recipient.value !== '';
  if (isNarrowed) return <p class="search-none">{t('search.none')}</p>;
  if (mailbox.isListed.value && isPhone.value) return <EmptyInbox mailbox={mailbox} />;
  if (isPhone.value && mailbox.connection.value === 'waiting') return <Making mailbox={mailbox} />;
  return <GhostRows isLoading={!mailbox.isListed.value} />;
}

/** Where the older mail would be. */
function Dropped({ mailbox: { dropped } }: { readonly mailbox: Mailbox }): VNode | null {
  return dropped.value > 0 ? <p class="list-note">{tn('inbox.dropped', dropped.value)}</p> : null;
}
