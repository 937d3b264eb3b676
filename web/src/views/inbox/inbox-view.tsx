// The list of messages, newest first, below their address. Rows out of sight are not laid out (content-visibility), so
// that five hundred scroll as easily as five.
import type { VNode } from 'preact';

import { startChoice, stopChoosing } from '../../app/choosing.ts';
import { chosen } from '../../app/navigation.ts';
import { isPhone } from '../../app/screen.ts';
import { Icon } from '../../icons/icon.tsx';
import { t, tn } from '../../i18n/translate.ts';
import { canChange, type Mailbox } from '../../state/mailbox.ts';
import { EmptyInbox } from './empty-inbox.tsx';
import { InboxHead } from './inbox-head.tsx';
import { InboxSearch } from './inbox-search.tsx';
import { MessageRows } from './message-rows.tsx';
import { NewestCode } from './newest-code.tsx';
import { lazyView } from '../parts/lazy.tsx';
import { Making } from './plain-states.tsx';
import { TagFilter } from './tag-filter.tsx';

const RecipientFilter = lazyView(async () => (await import('./recipient-filter.tsx')).RecipientFilter);
const ChooseBar = lazyView(async () => (await import('./choose-bar.tsx')).ChooseBar);

export function InboxView({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  return (
    <div class="inbox">
      <InboxHead mailbox={mailbox} />
      <section id="messages" class="list" tabIndex={-1} aria-labelledby="inbox-title">
        <h2 id="inbox-title" class="visually-hidden">
          {t('inbox.title')}, {tn('inbox.count', mailbox.shown.value.length)}
        </h2>
        {chosen.value !== null && <ChooseBar mailbox={mailbox} />}
        {(chosen.value === null || isPhone.value) && (
          <div class="list-tools">
            <InboxSearch mailbox={mailbox} />
            <Select mailbox={mailbox} />
          </div>
        )}
        {mailbox.isCapture && <RecipientFilter mailbox={mailbox} />}
        <TagFilter mailbox={mailbox} />
        <NewestCode mailbox={mailbox} />
        <Messages mailbox={mailbox} />
        <SearchState mailbox={mailbox} />
        <Dropped mailbox={mailbox} />
      </section>
    </div>
  );
}

/** Starts selecting several messages. */
function Select({ mailbox }: { readonly mailbox: Mailbox }): VNode | null {
  if (!canChange(mailbox) || mailbox.shown.value.length < 2) return null;
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={t('choose.start')}
      title={t('choose.start')}
      aria-pressed={chosen.value !== null}
      onClick={() => {
        if (chosen.value === null) startChoice();
        else stopChoosing();
      }}
    >
      <Icon name="select" />
    </button>
  );
}

function Messages({ mailbox }: { readonly mailbox: Mailbox }): VNode | null {
  const { value: messages } = mailbox.found;
  if (messages.length > 0) {
    return <MessageRows key={mailbox.token} mailbox={mailbox} messages={messages} />;
  }
  if (isNarrowed(mailbox)) {
    const isSearching = mailbox.textSearch.value?.state === 'searching';
    return isSearching ? null : <p class="search-none">{t('search.none')}</p>;
  }
  // On a wide screen the other pane says so.
  if (!isPhone.value) return null;
  return mailbox.isListed.value ? <EmptyInbox mailbox={mailbox} /> : <Making mailbox={mailbox} />;
}

function isNarrowed({ query, recipient, plusTag }: Mailbox): boolean {
  return query.value !== '' || recipient.value !== '' || plusTag.value !== '';
}

/** The progress of the search, announced to those who cannot see the list change. */
function SearchState({ mailbox: { textSearch, found } }: { readonly mailbox: Mailbox }): VNode | null {
  const { value: search } = textSearch;
  if (!search) return null;
  const words = { searching: t('search.searching'), failed: t('search.partial'), done: '' }[search.state];
  return (
    <div role="status">
      {words !== '' && <p class="list-note">{words}</p>}
      {search.state === 'done' && <p class="visually-hidden">{tn('inbox.count', found.value.length)}</p>}
    </div>
  );
}

/** Stands at the end of the list, in place of the older mail that was dropped. */
function Dropped({ mailbox: { dropped } }: { readonly mailbox: Mailbox }): VNode | null {
  return dropped.value > 0 ? <p class="list-note">{tn('inbox.dropped', dropped.value)}</p> : null;
}
