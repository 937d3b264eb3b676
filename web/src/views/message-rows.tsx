// The rows of the list. The first of them are drawn at once and the others after the next paint, so that a list of a
// thousand messages answers as quickly as a short one.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type { MessageSummary } from '../api/answers.ts';
import { afterPaint } from '../app/after-paint.ts';
import { cancelPrefetch, prefetchSoon } from '../app/prefetching.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { MessageRow } from './message-row.tsx';

/** More than any window shows. */
const rowsAtOnce = 60;

export interface MessageRowsProps {
  readonly mailbox: Mailbox;
  readonly messages: readonly MessageSummary[];
}

export function MessageRows({ mailbox, messages }: MessageRowsProps): VNode {
  const drawn = useRef(0);
  const [, drawRest] = useState(0);
  const isMuch = messages.length > drawn.current + rowsAtOnce;
  const count = isMuch ? drawn.current + rowsAtOnce : messages.length;
  useEffect(() => {
    if (!isMuch) {
      drawn.current = count;
      return undefined;
    }
    return afterPaint(() => {
      drawn.current = messages.length;
      drawRest((turn) => turn + 1);
    });
  });
  // Here and not on each of a thousand rows.
  return (
    <ul
      class="rows"
      onPointerOver={({ pointerType, target }) => {
        const id = idAt(target);
        if (pointerType === 'mouse' && id !== null) prefetchSoon(mailbox, id);
      }}
      onPointerOut={cancelPrefetch}
      onFocusOut={cancelPrefetch}
    >
      {messages.slice(0, count).map((message, at) => (
        <MessageRow key={message.id} mailbox={mailbox} message={message} isFar={at >= rowsAtOnce} />
      ))}
    </ul>
  );
}

/** Returns the id of the message whose link the element belongs to; null outside of links. */
function idAt(target: EventTarget | null): number | null {
  const row = target instanceof Element ? target.closest('.row-link')?.closest<HTMLElement>('.row') : null;
  return row?.dataset['id'] === undefined ? null : Number(row.dataset['id']);
}
