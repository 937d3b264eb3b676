// The content of a message, in the view that the reader chose.
import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';

import type { FullMessage } from '../../api/answers.ts';
import type { Reading } from '../../app/reading.ts';
import { lazyView } from '../parts/lazy.tsx';
import { MessageFrame } from './message-frame.tsx';
import { MessageText } from './message-text.tsx';
import type { ViewName } from './message-views.tsx';

const RawMessage = lazyView(async () => (await import('./raw-message.tsx')).RawMessage);

export interface MessageBodyProps {
  readonly reading: Reading;
  readonly message: FullMessage;
  readonly view: ViewName;
  readonly hasImages: Signal<boolean>;
}

export function MessageBody({ reading, message, view, hasImages }: MessageBodyProps): VNode {
  return (
    <div class="body">
      {message.html_url !== null && message.html_reason === null && !reading.isKept && (
        <div
          id="panel-html"
          class="is-framed"
          role="tabpanel"
          aria-labelledby="tab-html"
          hidden={view !== 'html'}
        >
          <MessageFrame reading={reading} message={message} hasImages={hasImages.value} />
        </div>
      )}
      {view !== 'html' && (
        <div key={view} id={`panel-${view}`} role="tabpanel" aria-labelledby={`tab-${view}`} tabIndex={0}>
          {view === 'text' && <MessageText message={message} />}
          {view === 'headers' && <Headers message={message} />}
          {view === 'source' && <RawMessage reading={reading} part="html-source" />}
          {view === 'raw' && <RawMessage reading={reading} part="raw-mail" />}
        </div>
      )}
    </div>
  );
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
