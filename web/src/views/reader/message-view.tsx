// The open message: its actions, its sender, its codes and links, and its content.
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

import type { Attachment, FullMessage } from '../../api/answers.ts';
import { describeError } from '../../api/error-words.ts';
import { doubted } from '../../app/doubting.ts';
import { isTyping } from '../../app/keyboard.ts';
import { shownByItself } from '../../app/navigation.ts';
import { isGone, readAgain, type Reading } from '../../app/reading.ts';
import { inBackground, logFault } from '../../app/report-fault.ts';
import { isNarrow, isPhone } from '../../app/screen.ts';
import { Icon } from '../../icons/icon.tsx';
import { loadMoreTexts, t } from '../../i18n/translate.ts';
import { showSender } from '../../state/mail/shown-sender.ts';
import '../../style-reader.ts';
import { Attachments } from './attachments.tsx';
import { MessageBody } from './message-body.tsx';
import { MessageFinds } from './message-finds.tsx';
import { MessageOrigin } from './message-origin.tsx';
import { MessageViews, type ViewName } from './message-views.tsx';
import { lazyWithTexts } from '../parts/lazy.tsx';
import { Monogram } from '../parts/monogram.tsx';
import { ReaderTools } from './reader-tools.tsx';

const EventCards = lazyWithTexts(async () => (await import('./event-cards.tsx')).EventCards);
const LinkQuestion = lazyWithTexts(async () => (await import('./link-question.tsx')).LinkQuestion);

export function MessageView({ reading }: { readonly reading: Reading }): VNode {
  const { message, error } = reading;
  const isAnnounced = useRef(false);
  useLayoutEffect(() => {
    if (!message || isAnnounced.current) return;
    isAnnounced.current = true;
    // Moves the focus to the subject, so that screen readers announce it, but not out of a field, nor unasked.
    if (!isTyping(document.activeElement) && shownByItself.value !== reading.id) {
      document.getElementById('message-title')?.focus({ preventScroll: true });
    }
    if (isPhone.peek()) window.scrollTo(0, 0);
  }, [message]);
  return (
    <article class="message" aria-labelledby="message-title" aria-busy={!message && !error}>
      {message ? (
        <Content key={`${reading.id} ${reading.isKept}`} reading={reading} message={message} />
      ) : (
        <>
          <ReaderTools reading={reading} />
          <Outline reading={reading} />
          {error && <Problem error={error} />}
        </>
      )}
    </article>
  );
}

function Problem({ error }: { readonly error: NonNullable<Reading['error']> }): VNode {
  return (
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
  );
}

/** Shows the list's data about the message until it has been read. */
function Outline({ reading: { mailbox, id, error } }: { readonly reading: Reading }): VNode {
  const known = mailbox.messages.value.find((message) => message.id === id);
  return (
    <>
      {known && (
        <header class="message-head">
          <h2 id="message-title" class="message-title" dir="auto">
            {known.subject || t('inbox.noSubject')}
          </h2>
          <Monogram sender={known} />
          <p class="origin origin-sender breakable" dir="auto">
            {showSender(known) || t('inbox.noSender')}
          </p>
        </header>
      )}
      {!error && (
        <p class="message-lines">
          <span class="visually-hidden">{t('app.loading')}</span>
          <span aria-hidden="true" />
          <span aria-hidden="true" />
        </p>
      )}
    </>
  );
}

interface ContentProps {
  readonly reading: Reading;
  readonly message: FullMessage;
}

function Content({ reading, message }: ContentProps): VNode {
  // Without the service the layout cannot be loaded.
  const hasFrame = message.html_url !== null && message.html_reason === null && !reading.isKept;
  const view: Signal<ViewName> = useSignal<ViewName>(hasFrame ? 'html' : 'text');
  const hasImages = useSignal(false);
  const calendars = reading.isKept ? [] : message.attachments.filter(isCalendar);
  // Invitations come beside the text, and once more as a file.
  const repeated = new Set(
    calendars.flatMap(({ id, size }, at) =>
      calendars.slice(at + 1).some((later) => later.size === size) ? [id] : [],
    ),
  );
  // For the views below, and the frame’s.
  useEffect(() => {
    loadMoreTexts().catch(logFault);
  }, []);
  const views = <MessageViews view={view} hasFrame={hasFrame} isForTesters={reading.mailbox.isCapture} />;
  return (
    <>
      <ReaderTools reading={reading}>{!isNarrow.value && views}</ReaderTools>
      <header class="message-head">
        <h2 id="message-title" class="message-title" dir="auto" tabIndex={-1}>
          {message.subject || t('inbox.noSubject')}
        </h2>
        <Monogram sender={message} />
        <MessageOrigin
          mailbox={reading.mailbox}
          message={message}
          hasImages={hasImages}
          isFramed={view.value === 'html'}
        />
      </header>
      {reading.mailbox.isOver.value && isPhone.value && (
        <Warning>
          {t('over.title')}. {t('over.stays')}
        </Warning>
      )}
      {reading.isKept && <Warning>{t('message.kept')}</Warning>}
      <Warnings message={message} />
      <MessageFinds message={message} />
      {calendars.length > 0 && <EventCards reading={reading} calendars={calendars} />}
      {isNarrow.value && views}
      <MessageBody reading={reading} message={message} view={view.value} hasImages={hasImages} />
      <Attachments
        reading={reading}
        attachments={message.attachments.filter((one) => !repeated.has(one.id))}
      />
      {doubted.value && <LinkQuestion doubt={doubted.value} />}
    </>
  );
}

/** A larger one is a whole calendar. */
const largestCalendar = 200_000;

function isCalendar({ content_type: type, filename, size }: Attachment): boolean {
  const isNamed = /\.ics$/i.test(filename) && /^(?:application|text)\//.test(type);
  return size <= largestCalendar && (isNamed || type === 'text/calendar');
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
