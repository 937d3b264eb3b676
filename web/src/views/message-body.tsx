// What the message says, in the way the reader chooses: as it was laid out, as text, its header fields, or raw.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';

import type { FullMessage } from '../api/answers.ts';
import type { Reading } from '../app/reading.ts';
import { t } from '../i18n/translate.ts';
import { MessageFrame } from './message-frame.tsx';
import { MessageText } from './message-text.tsx';
import { RawMessage } from './raw-message.tsx';

const tabs = ['html', 'text', 'headers', 'raw'] as const;
type Tab = (typeof tabs)[number];

export interface MessageBodyProps {
  readonly reading: Reading;
  readonly message: FullMessage;
}

export function MessageBody({ reading, message }: MessageBodyProps): VNode {
  const hasFrame = message.html_url !== null && message.html_reason === null;
  const tab = useSignal<Tab>(hasFrame ? 'html' : 'text');
  const offered = tabs.filter((name) => name !== 'html' || hasFrame);
  return (
    <div class="body">
      <div class="tabs" role="tablist" aria-label={t('message.views')}>
        {offered.map((name) => (
          <TabButton
            key={name}
            name={name}
            isChosen={tab.value === name}
            onChoose={() => {
              tab.value = name;
            }}
          />
        ))}
      </div>
      {hasFrame && (
        <div id="panel-html" role="tabpanel" aria-labelledby="tab-html" hidden={tab.value !== 'html'}>
          <MessageFrame reading={reading} message={message} />
        </div>
      )}
      {tab.value !== 'html' && (
        <div
          key={tab.value}
          id={`panel-${tab.value}`}
          role="tabpanel"
          aria-labelledby={`tab-${tab.value}`}
          tabIndex={0}
        >
          {tab.value === 'text' && <MessageText text={message.text} />}
          {tab.value === 'headers' && <Headers message={message} />}
          {tab.value === 'raw' && <RawMessage reading={reading} />}
        </div>
      )}
    </div>
  );
}

interface TabButtonProps {
  readonly name: Tab;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function TabButton({ name, isChosen, onChoose }: TabButtonProps): VNode {
  return (
    <button
      type="button"
      role="tab"
      id={`tab-${name}`}
      class="tab"
      aria-selected={isChosen}
      aria-controls={isChosen ? `panel-${name}` : undefined}
      tabIndex={isChosen ? 0 : -1}
      onClick={onChoose}
      onKeyDown={moveByArrow}
    >
      {t(`message.tab.${name}` as const)}
    </button>
  );
}

/** Arrow keys go to the neighbour and choose it (ARIA Authoring Practices, tabs). */
function moveByArrow(event: KeyboardEvent): void {
  const { currentTarget: from, key } = event;
  if (!(from instanceof HTMLElement) || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return;
  const isForward = (key === 'ArrowRight') === (document.documentElement.dir !== 'rtl');
  const to = isForward ? from.nextElementSibling : from.previousElementSibling;
  if (!(to instanceof HTMLElement)) return;
  event.preventDefault();
  to.focus();
  to.click();
}

function Headers({ message }: { readonly message: FullMessage }): VNode {
  return (
    <dl class="headers" dir="ltr">
      {message.headers.map(({ name, value }, at) => (
        <div key={at} class="header-field">
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
