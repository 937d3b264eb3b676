// The list of messages, newest first, or why it is empty. Rows out of sight are not laid out (content-visibility), so
// that five hundred scroll as easily as five.
import type { VNode } from 'preact';

import { openDialog } from '../app/navigation.ts';
import { Icon } from '../icons/icon.tsx';
import { formatNumber, t, tn } from '../i18n/translate.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { EmptyInbox } from './empty-inbox.tsx';
import { MessageRow } from './message-row.tsx';

export function InboxView({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  const { value: messages } = mailbox.shown;
  return (
    <section class="inbox" aria-labelledby="inbox-title">
      <header class="inbox-head">
        <h2 id="inbox-title">{t('inbox.title')}</h2>
        {messages.length > 0 && (
          <span class="inbox-count">
            <span class="visually-hidden">{tn('inbox.count', messages.length)}</span>
            <span aria-hidden="true">{formatNumber(messages.length)}</span>
          </span>
        )}
        <button
          type="button"
          class="button is-quiet"
          onClick={() => {
            openDialog('log');
          }}
        >
          <Icon name="list" />
          <span>{t('log.open')}</span>
        </button>
      </header>
      <Messages mailbox={mailbox} />
    </section>
  );
}

function Messages({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  const { value: messages } = mailbox.shown;
  if (messages.length > 0) {
    return (
      <ul class="rows">
        {messages.map((message) => (
          <MessageRow key={message.id} mailbox={mailbox} message={message} />
        ))}
      </ul>
    );
  }
  if (mailbox.isListed.value) return <EmptyInbox mailbox={mailbox} />;
  return <p class="quiet-note">{t('app.loading')}</p>;
}
