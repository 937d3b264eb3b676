// One message, open: what can be done with it, who sent it, its codes and links, and then what it says.
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

import type { FullMessage } from '../api/answers.ts';
import { describeError } from '../api/error-words.ts';
import { deleteMessage } from '../app/deleting.ts';
import { closeMessage } from '../app/navigation.ts';
import { isGone, readAgain, type Reading } from '../app/reading.ts';
import { inBackground } from '../app/report-fault.ts';
import { saveRawMail } from '../app/saving.ts';
import { Icon, type IconName } from '../icons/icon.tsx';
import { t } from '../i18n/translate.ts';
import { showSender } from '../state/shown-sender.ts';
import { Attachments } from './attachments.tsx';
import { MessageBody } from './message-body.tsx';
import { MessageFinds } from './message-finds.tsx';
import { MessageOrigin } from './message-origin.tsx';

export function MessageView({ reading }: { readonly reading: Reading }): VNode {
  const { message, error } = reading;
  return (
    <article class="message" aria-labelledby="message-title" aria-busy={!message && !error}>
      <Toolbar reading={reading} />
      {message && <Content key={reading.id} reading={reading} message={message} />}
      {error && (
        <div class="message-problem" role="alert">
          <p>{isGone(error) ? t('message.gone') : describeError(error)}</p>
          {!isGone(error) && (
            <button
              type="button"
              class="button"
              onClick={() => {
                inBackground(readAgain());
              }}
            >
              {t('app.retry')}
            </button>
          )}
        </div>
      )}
      {!message && !error && <Outline reading={reading} />}
    </article>
  );
}

/** What the list knows of it already, until it is read. */
function Outline({ reading: { mailbox, id } }: { readonly reading: Reading }): VNode {
  const known = mailbox.messages.value.find((message) => message.id === id);
  return (
    <>
      {known && (
        <>
          <h2 id="message-title" class="message-title" dir="auto">
            {known.subject || t('inbox.noSubject')}
          </h2>
          <p class="origin origin-sender breakable" dir="auto">
            {showSender(known) || t('inbox.noSender')}
          </p>
        </>
      )}
      <p class="message-lines">
        <span class="visually-hidden">{t('app.loading')}</span>
        <span aria-hidden="true" />
        <span aria-hidden="true" />
      </p>
    </>
  );
}

interface ContentProps {
  readonly reading: Reading;
  readonly message: FullMessage;
}

function Content({ reading, message }: ContentProps): VNode {
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    // Those who do not see that a message opened hear its subject.
    title.current?.focus({ preventScroll: true });
    if (matchMedia('(width < 60rem)').matches) window.scrollTo(0, 0);
  }, []);
  return (
    <>
      <h2 id="message-title" class="message-title" dir="auto" ref={title} tabIndex={-1}>
        {message.subject || t('inbox.noSubject')}
      </h2>
      <MessageOrigin mailbox={reading.mailbox} message={message} />
      <Warnings message={message} />
      <MessageFinds message={message} />
      <MessageBody reading={reading} message={message} />
      <Attachments reading={reading} message={message} />
    </>
  );
}

function Toolbar({ reading }: { readonly reading: Reading }): VNode {
  const { mailbox, id, message } = reading;
  return (
    <div class="toolbar">
      <Tool icon="back" label={t('app.back')} onClick={closeMessage} />
      <span class="toolbar-gap" />
      {message && (
        <>
          <Tool
            icon="download"
            label={t('message.download')}
            onClick={() => {
              inBackground(saveRawMail(reading));
            }}
          />
          <Tool
            icon="print"
            label={t('message.print')}
            onClick={() => {
              window.print();
            }}
          />
          {!mailbox.isReadOnly && (
            <Tool
              icon="trash"
              label={t('message.delete')}
              onClick={() => {
                deleteMessage(mailbox, id);
              }}
            />
          )}
        </>
      )}
    </div>
  );
}

interface ToolProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
}

function Tool({ icon, label, onClick }: ToolProps): VNode {
  return (
    <button type="button" class="button is-quiet tool" onClick={onClick}>
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  );
}

function Warnings({ message }: { readonly message: FullMessage }): VNode {
  return (
    <>
      {message.in_spam && <Warning>{t('message.spam')}</Warning>}
      {message.parse === 'partial' && <Warning>{t('message.partial')}</Warning>}
      {message.parse === 'failed' && <Warning>{t('message.failed')}</Warning>}
      {message.html_reason !== null && <Warning>{t('message.noHtml')}</Warning>}
    </>
  );
}

function Warning({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <p class="warning">
      <Icon name="warning" />
      <span>{children}</span>
    </p>
  );
}
